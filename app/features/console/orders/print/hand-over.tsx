import type { PrintedOrder } from '#contracts/console/order.ts';

import { toCollect } from '../order-sums.ts';
import { rupees } from '../order-words.ts';

/** What whoever hands the parcel over has to know: the money to take, and the note. Nothing where there is neither. */
export function HandOver({ order, className }: { order: PrintedOrder; className?: string }) {
  const amount = toCollect(order);
  if (amount === null && order.note === '') return null;
  return (
    <div className={className}>
      {amount !== null && (
        <p>
          <strong>Collect {rupees(amount)}</strong>
        </p>
      )}
      {order.note && <p>{order.note}</p>}
    </div>
  );
}
