import type { PrintedOrder } from '#contracts/console/order.ts';
import { formatPaise } from '#domain/money.ts';

import { toCollect } from '../order-sums.ts';

/** The amount to collect on handover and the customer's note; nothing if there is neither. */
export function HandOver({ order, className }: { order: PrintedOrder; className?: string }) {
  // The recipient of a gift is not asked for money.
  const amount = order.gift ? null : toCollect(order);
  if (amount === null && order.note === '') return null;
  return (
    <div className={className}>
      {amount !== null && (
        <p>
          <strong>Collect {formatPaise(amount)}</strong>
        </p>
      )}
      {order.note && <p>{order.note}</p>}
    </div>
  );
}
