import type { ReactNode } from 'react';
import styles from './badge.module.css';

export type Tone = 'calm' | 'good' | 'warn' | 'bad' | 'busy' | 'waiting';

/** How something stands, in a word or two. */
export function Badge({
  tone = 'calm',
  className,
  children,
}: {
  tone?: Tone;
  className?: string;
  children: ReactNode;
}) {
  return (
    <span className={className ? `${styles.badge} ${className}` : styles.badge} data-tone={tone}>
      {children}
    </span>
  );
}
