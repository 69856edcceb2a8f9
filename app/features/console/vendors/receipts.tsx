import { useState } from 'react';
import buttons from '#app/ui/button.module.css';
import { ConfirmDialog } from '#app/ui/confirm-dialog.tsx';
import { Badge, Empty } from '#app/ui/panel.tsx';
import { toast } from '#app/ui/toast.tsx';
import { type Purchase, type Receipt, undoReceipt } from '#contracts/console/purchases.ts';
import { formatPurchased } from '#domain/purchases/units.ts';
import { formatDate, formatMoment, instantFrom } from '#domain/time.ts';
import { useRequests } from '../data/requests.ts';
import { rupees } from './amount.tsx';
import styles from './purchase.module.css';

import shared from './vendors.module.css';

/** Each delivery with its bill; a wrong one is taken back whole. */
export function Receipts({ purchase, onChanged }: { purchase: Purchase; onChanged(): void }) {
  const { act } = useRequests();
  const [undoing, setUndoing] = useState<Receipt | null>(null);

  async function undo() {
    if (!undoing) return;
    const undone = await act(undoReceipt, { receipt_id: undoing.id, seen: purchase.updated_at });
    setUndoing(null);
    toast(undone.ok ? 'success' : 'error', undone.ok ? 'Receipt reversed.' : undone.message);
    onChanged();
  }

  if (purchase.receipts.length === 0)
    return (
      <Empty
        title="Nothing received yet."
        text="When goods arrive, use “Receive goods” to add them to stock and record the bill."
      />
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
        title="Reverse this receipt?"
        text="The goods are taken out of stock, the bill is cancelled, and any unit cost it set is undone."
        confirmLabel="Reverse"
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
        {receipt.by && ` by ${receipt.by}`} {receipt.undone_at && <Badge>Reversed</Badge>}
      </p>
      <p>{things.join(', ')}</p>
      <p className={shared.note}>
        {bill ? `Bill ${bill.bill_number} of ${rupees(bill.amount_paise)}, due ${formatDate(bill.due_on)}` : 'No bill'}
        {bill && bill.adjustment_paise !== 0 && ` (includes ${rupees(bill.adjustment_paise)} adjustment)`}
      </p>
      {onUndo && (
        <div className={shared.actions}>
          <button type="button" className={buttons.small} onClick={onUndo}>
            Reverse
          </button>
        </div>
      )}
    </article>
  );
}
