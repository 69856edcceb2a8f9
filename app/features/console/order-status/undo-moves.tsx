import { useEffect, useEffectEvent, useState } from 'react';
import { ordersInWords } from '#app/features/console/order-status/order-words.ts';
import { Button } from '#app/ui/button.tsx';
import { clearToasts, toast } from '#app/ui/toast.tsx';
import { type Undone, undoMoves } from '#contracts/console/orders.ts';
import type { z } from '#contracts/z.ts';
import { type Outcome, useRequests } from '../data/requests.ts';
import styles from './undo-moves.module.css';

/** An order, and its updated_at after it was moved. */
export type MovedOrder = { id: string; seen: string };

/** Undoes the last status change of orders and shows the result. */
export function useUndo(): (moves: readonly MovedOrder[]) => Promise<void> {
  const { act } = useRequests();
  return async (moves) => {
    const outcome = await act(undoMoves, { moves: [...moves] });
    clearToasts();
    for (const [kind, text] of undoneInWords(outcome)) toast(kind, text);
  };
}

/** Reasons are few: most orders that cannot be moved back share one, and the first names its order. */
export function undoneInWords(outcome: Outcome<z.infer<typeof Undone>>): ['success' | 'error', string][] {
  if (!outcome.ok) return [['error', outcome.message]];
  const { undone, refused } = outcome.value;
  const [first] = refused;
  const said: ['success' | 'error', string][] = [];
  if (undone.length > 0)
    said.push([
      'success',
      `${undone.length === 1 ? 'Undone' : `${ordersInWords(undone.length)} moved back`}. No email was sent.`,
    ]);
  if (first)
    said.push([
      'error',
      refused.length === 1
        ? `Not undone. ${first.reason}`
        : `${ordersInWords(refused.length)} not undone. ${first.reason}`,
    ]);
  return said;
}

type UndoMovesProps = {
  moves: readonly MovedOrder[];
  /** What they were moved to, where nothing else says it. */
  text?: string;
  /** For how long it can be undone. */
  seconds: number;
  /** It was undone, or no longer can be. */
  onEnd(): void;
};

/** The last status change, with Undo while it is possible. */
export function UndoMoves({ moves, text, seconds, onEnd }: UndoMovesProps) {
  const undo = useUndo();
  const [isBusy, setBusy] = useState(false);
  const [left, setLeft] = useState(seconds);

  const [end] = useState(() => Date.now() + seconds * 1000);
  const onExpired = useEffectEvent(onEnd);
  useEffect(() => {
    const timer = setInterval(() => {
      const now = Math.ceil((end - Date.now()) / 1000);
      setLeft(now);
      if (now > 0) return;
      clearInterval(timer);
      onExpired();
    }, 1000);
    return () => clearInterval(timer);
  }, [end]);

  async function run() {
    setBusy(true);
    await undo(moves);
    onEnd();
  }
  if (left <= 0) return null;
  return (
    <div className={text ? styles.notice : styles.brief}>
      {text && <p role="status">{text}</p>}
      <Button size="small" isBusy={isBusy} disabled={isBusy} onClick={run}>
        Undo
      </Button>
      <span className={styles.left} aria-hidden="true">
        {left} s
      </span>
    </div>
  );
}
