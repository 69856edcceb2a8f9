import { type ReactNode, useRef } from 'react';
import { Button } from '#app/ui/button.tsx';
import { useShortcut } from '../frame/shortcuts.tsx';
import { selectedInWords } from './selection.ts';
import styles from './selection-bar.module.css';

export type SelectionBarProps = {
  /** "orders" */
  things: string;
  count: number;
  /** How many of them the list does not show. */
  hidden: number;
  onClear(): void;
  /** Beside the count. */
  beside?: ReactNode;
  /** Why the last action did nothing. */
  problem?: string | null;
  /** Small buttons. */
  children: ReactNode;
};

/** What can be done with the selected rows of a list; at the bottom, where the thumb is. */
export function SelectionBar({ things, count, hidden, onClear, beside, problem, children }: SelectionBarProps) {
  const bar = useRef<HTMLElement>(null);
  useShortcut('b', `Go to actions for selected ${things}`, () => bar.current?.querySelector('button')?.focus());
  return (
    <section ref={bar} className={styles.bar} aria-label={`Selected ${things}`} aria-keyshortcuts="b">
      <p role="status">{selectedInWords(count, hidden)}</p>
      {beside}
      <div className={styles.actions}>{children}</div>
      <Button variant="text" className={styles.clear} onClick={onClear}>
        Clear
      </Button>
      {problem && (
        <p role="alert" className={styles.problem}>
          {problem}
        </p>
      )}
    </section>
  );
}
