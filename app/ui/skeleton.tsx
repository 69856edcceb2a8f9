import type { ComponentProps } from 'react';
import styles from './skeleton.module.css';

/** A calm stand-in while data loads; its class or style says how large what comes is. */
export function Skeleton({ className, ...span }: ComponentProps<'span'>) {
  return <span {...span} className={className ? `${styles.skeleton} ${className}` : styles.skeleton} />;
}
