import { useState } from 'react';
import buttons from '#app/ui/button.module.css';
import { toast } from '#app/ui/toast.tsx';
import { undoMovement } from '#contracts/console/stock.ts';
import { useRequests } from '../data/requests.ts';
import styles from './inventory.module.css';

/** Without a movement there is nothing to take back: a count that found what the books said. */
export type Undoable = { movementId: number | null; text: string };

/** What was just recorded, and the way back: movements never change, so it is another one. */
export function UndoNotice({ undoable, onDone }: { undoable: Undoable | null; onDone(): void }) {
  const { act } = useRequests();
  const [busy, setBusy] = useState(false);
  if (!undoable) return <div role="status" className={styles.silent} />;
  const { movementId } = undoable;

  async function undo(movementId: number) {
    setBusy(true);
    const undone = await act(undoMovement, { movement_id: movementId });
    setBusy(false);
    toast(undone.ok ? 'success' : 'error', undone.ok ? 'Movement undone.' : undone.message);
    onDone();
  }
  return (
    <div role="status" className={styles.notice}>
      <span>{undoable.text}</span>
      {movementId !== null && (
        <button type="button" className={buttons.small} disabled={busy} onClick={() => undo(movementId)}>
          Undo
        </button>
      )}
      <button type="button" className={buttons.small} onClick={onDone}>
        Dismiss
      </button>
    </div>
  );
}
