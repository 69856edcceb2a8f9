import { useState } from 'react';
import buttons from '#app/ui/button.module.css';
import { ConfirmDialog } from '#app/ui/confirm-dialog.tsx';
import { Badge, Empty } from '#app/ui/panel.tsx';
import { toast } from '#app/ui/toast.tsx';
import { formatPurchased } from '#domain/purchases/units.ts';
import { formatMoment, formatShortDay, instantFrom } from '#domain/time.ts';
import { useRequests } from '../requests.ts';
import { rupees } from './amount.tsx';
import styles from './purchase.module.css';
import type { Purchase, Receipt } from './vendor-data.ts';
import shared from './vendors.module.css';

/** Each delivery with its bill; a wrong one is taken back whole. */
export function Receipts({ purchase, onChanged }: { purchase: Purchase; onChanged(): void }) {
  const { act } = useRequests();
  const [undoing, setUndoing] = useState<Receipt | null>(null);

  async function undo() {
    if (!undoing) return;
    const undone = await act('admin_undo_receipt', { receipt_id: undoing.id, seen: purchase.updated_at });
    setUndoing(null);
    toast(undone.ok ? 'success' : 'error', undone.ok ? 'Taken back.' : undone.message);
    onChanged();
  }

  if (purchase.receipts.length === 0)
    return (
      <Empty title="Nothing came yet." text="When it does, “Receive goods” puts it on the shelf and on the account." />
    );
  return (
    <div>
      {purchase.receipts.map((receipt) => (
        <ReceiptEntry
          key={receipt.id}
          purchase={purchase}
          receipt={receipt}
          onUndo={purchase.status === 'Received' && !receipt.undone_at ? () => setUndoing(receipt) : null}
        />
      ))}
      <ConfirmDialog
        open={undoing !== null}
        title="Take this delivery back?"
        text="The goods leave the shelf again, the bill is void, and a cost that it set is forgotten."
        confirmLabel="Take back"
        tone="danger"
        onConfirm={undo}
        onClose={() => setUndoing(null)}
      />
    </div>
  );
}

type ReceiptEntryProps = { purchase: Purchase; receipt: Receipt; onUndo: (() => void) | null };

function ReceiptEntry({ purchase, receipt, onUndo }: ReceiptEntryProps) {
  const instant = instantFrom(receipt.received_at);
  const { bill } = receipt;
  const things = receipt.lines.map(({ item_id, quantity }) => {
    const line = purchase.lines.find(({ id }) => id === item_id);
    return line ? `${formatPurchased(quantity, line.unit)} of ${line.item_name}` : '';
  });
  return (
    <article className={styles.receipt} data-undone={receipt.undone_at ? '' : undefined}>
      <p>
        <b>{instant ? formatMoment(instant) : ''}</b>
        {receipt.by && ` by ${receipt.by}`} {receipt.undone_at && <Badge>taken back</Badge>}
      </p>
      <p>{things.join(', ')}</p>
      <p className={shared.note}>
        {bill
          ? `Bill ${bill.bill_number} over ${rupees(bill.amount_paise)}, due ${formatShortDay(bill.due_on)}`
          : 'Without a bill'}
        {bill && bill.adjustment_paise !== 0 && ` (with ${rupees(bill.adjustment_paise)} besides the goods)`}
      </p>
      {onUndo && (
        <div className={shared.actions}>
          <button type="button" className={buttons.small} onClick={onUndo}>
            Take back
          </button>
        </div>
      )}
    </article>
  );
}
