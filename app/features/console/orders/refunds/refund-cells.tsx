import { href, Link } from 'react-router';
import type { FinishedRefund, OpenRefund } from '#contracts/console/refunds.ts';
import { formatPaise } from '#domain/money.ts';
import { formatDay, instantFrom } from '#domain/time.ts';
import { refundReason } from '../order-words.ts';
import styles from './refunds-page.module.css';

type Row = OpenRefund | FinishedRefund;

/** How much, and why. */
export function Money({ row }: { row: Row }) {
  return (
    <>
      <b className={styles.amount}>{formatPaise(row.amount_paise)}</b>
      <small className={styles.reason}>{refundReason(row)}</small>
    </>
  );
}

/** Whose money it is, and of which order. */
export function Whose({ row: { order, customer, customer_id, phone } }: { row: Row }) {
  return (
    <div className={styles.lines}>
      {customer_id ? (
        <Link to={href('/admin/customers/:id', { id: customer_id })}>{customer}</Link>
      ) : (
        <span>{customer ?? 'Erased customer'}</span>
      )}
      <small>
        {order ? (
          <>
            Order <Link to={href('/admin/orders/:id', { id: order.id })}>{order.number}</Link>
          </>
        ) : (
          'No order'
        )}
        {phone && ` · ${phone}`}
      </small>
    </div>
  );
}

/** The day of a moment, in India. */
export function Day({ at }: { at: string }) {
  const instant = instantFrom(at);
  return instant && <time dateTime={instant.toISOString()}>{formatDay(instant)}</time>;
}
