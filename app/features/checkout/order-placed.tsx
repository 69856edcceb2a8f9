import type { CheckoutState } from '#domain/checkout/checkout-state.ts';
import { formatPaise } from '#domain/money.ts';
import { formatCalendarDay } from '#domain/time.ts';
import styles from './confirmation-page.module.css';
import { WhereNext, Words } from './words.tsx';

/** The order is there: its number, what was paid, when it comes. */
export function OrderPlaced({ order }: { order: Extract<CheckoutState, { state: 'ordered' }> }) {
  return (
    <Words title="Order placed" actions={<WhereNext />}>
      <p>Thank you. Your sweets will be made fresh and packed with care.</p>
      <dl className={styles.facts}>
        <div>
          <dt>Order</dt>
          <dd>#{order.number}</dd>
        </div>
        <div>
          <dt>Paid</dt>
          <dd>{formatPaise(order.totalPaise)}</dd>
        </div>
        {order.fulfilment === 'pickup' ? (
          <div>
            <dt>Pick up</dt>
            <dd>at the counter</dd>
          </div>
        ) : (
          order.deliveryBy && (
            <div>
              <dt>Arrives by</dt>
              <dd>{formatCalendarDay(order.deliveryBy)}</dd>
            </div>
          )
        )}
      </dl>
    </Words>
  );
}
