import { useEffect, useRef, useState } from 'react';
import { whyNotCancelable } from '#app/parts/order-progress/order-standing.ts';
import { Button } from '#app/ui/button.tsx';
import { Dialog } from '#app/ui/dialog.tsx';
import { toast } from '#app/ui/toast.tsx';
import { formatPaise } from '#domain/money.ts';
import styles from './cancel-dialog.module.css';
import type { CancelOutcome } from './order-data.ts';
import { orderElement } from './order-entry.tsx';
import type { History, PastOrder } from './order-history.ts';

export type OrderToCancel = Pick<PastOrder, 'id' | 'shortId' | 'totalPaise' | 'paymentStatus'>;
export type CancelDialogProps = {
  /** null: closed. */
  order: OrderToCancel | null;
  cancel(orderId: string): Promise<CancelOutcome>;
  refresh(): Promise<History | null>;
  onClose(): void;
};

const tooLate = 'This order can no longer be cancelled. Write to us if something is wrong.';

/** Asks first. Whatever way the customer leaves it except 'Yes', the order is kept. */
export function CancelDialog({ order, cancel, refresh, onClose }: CancelDialogProps) {
  const [busy, setBusy] = useState(false);
  const asked = useRef<OrderToCancel | null>(null);
  useEffect(() => {
    if (order) asked.current = order;
  }, [order]);

  async function onConfirm(orderId: string) {
    if (busy) return;
    setBusy(true);
    const outcome = await cancel(orderId).catch(() => 'failed' as const);
    if (outcome === 'failed') toast('error', 'Something went wrong. Please try again.');
    else {
      const history = await refresh(); // what really is, before the question goes
      tell(
        outcome,
        history?.orders.find(({ id }) => id === orderId),
      );
      onClose();
    }
    setBusy(false);
  }

  function onClosed() {
    onClose();
    // The button that asked may be gone with the answer, and the focus with it.
    if (document.activeElement === document.body && asked.current)
      orderElement(asked.current.id)?.querySelector('summary')?.focus();
  }

  return (
    <Dialog
      role="alertdialog"
      open={order !== null}
      onClose={onClosed}
      labelledBy="cancel-question"
      describedBy="cancel-order"
    >
      {order && (
        <div className={styles.question}>
          <h2 id="cancel-question">Are you sure you want to cancel this order?</h2>
          <p id="cancel-order">
            Order {order.shortId}, {formatPaise(order.totalPaise)}.
            {order.paymentStatus === 'paid' && ' You’ll get your money back within 7 business days.'}
          </p>
          <div className={styles.answers}>
            <Button onClick={onClose}>Keep order</Button>
            <Button variant="primary" isBusy={busy} onClick={() => onConfirm(order.id)}>
              {busy ? 'Cancelling…' : 'Yes, cancel order'}
            </Button>
          </div>
        </div>
      )}
    </Dialog>
  );
}

function tell(outcome: 'canceled' | 'too-late', order: PastOrder | undefined): void {
  if (outcome === 'canceled') toast('success', 'Your order has been cancelled.');
  else if (order?.status === 'canceled') toast('info', 'This order was already cancelled.');
  else toast('warning', (order && whyNotCancelable(order)) ?? tooLate);
}
