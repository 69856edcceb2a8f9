import type { ReactNode } from 'react';
import { Button } from './button.tsx';
import styles from './empty-state.module.css';

export type EmptyStateProps = {
  title: string;
  text?: ReactNode;
  action?: ReactNode;
  picture?: ReactNode;
  /** Where it stands for a whole page: its title is a heading, without a frame. */
  heading?: 'h2' | 'h3';
  className?: string;
};

/** There is nothing to show: why, and what to do about it. */
export function EmptyState({ title, text, action, picture, heading: Heading, className }: EmptyStateProps) {
  const look = Heading ? styles.page : styles.framed;
  return (
    <div className={className ? `${look} ${className}` : look}>
      {picture}
      {Heading ? <Heading>{title}</Heading> : <p className={styles.title}>{title}</p>}
      {text && <p>{text}</p>}
      {action}
    </div>
  );
}

export type FailedStateProps = { title?: string; text?: ReactNode; retry(): void };

/** Something could not be loaded, and can be tried again. */
export function FailedState({ title = 'We couldn’t load this.', text, retry }: FailedStateProps) {
  return (
    <div className={styles.framed} role="alert">
      <p className={styles.title}>{title}</p>
      {text && <p>{text}</p>}
      <Button size="small" onClick={retry}>
        Try again
      </Button>
    </div>
  );
}
