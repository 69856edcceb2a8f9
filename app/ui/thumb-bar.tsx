import type { ReactNode } from 'react';
import styles from './thumb-bar.module.css';

export type ThumbBarProps = {
  /** On a phone it then stays above the navigation, wherever the page is scrolled to. */
  isInReach: boolean;
  /** What it costs, said there beside the button; elsewhere it stands nearby. */
  label: ReactNode;
  sum: string;
  children: ReactNode;
};

/** The next step, under the thumb. The element around it leaves room for it with the attribute `data-above-bar`. */
export function ThumbBar({ isInReach, label, sum, children }: ThumbBarProps) {
  return (
    <div className={styles.bar} data-in-reach={isInReach ? '' : undefined}>
      <p className={styles.sum} aria-hidden="true">
        <span>{label}</span>
        <b>{sum}</b>
      </p>
      {children}
    </div>
  );
}
