import { Badge, type Tone } from '#app/ui/badge.tsx';
import { formatPaise } from '#domain/money.ts';
import { refundReason } from '#domain/orders/refund-reason.ts';
import { formatDay } from '#domain/time.ts';
import styles from './payment-entry.module.css';
import { type Refund, refundLines, refundTitle } from './refunds.ts';

const tones: Record<Refund['state'], Tone> = { 'under-way': 'warn', retried: 'bad', done: 'good', failed: 'bad' };

/** A payment that never became an order, and goes back. */
export function PaymentEntry({ refund }: { refund: Refund }) {
  return (
    <article className={styles.payment} aria-labelledby={`payment-${refund.id}`}>
      <h3 className={styles.title} id={`payment-${refund.id}`}>
        Payment refunded
      </h3>
      <p className={styles.day}>
        {refund.askedAt && <time dateTime={refund.askedAt.toISOString()}>{formatDay(refund.askedAt)}</time>}
      </p>
      <p className={styles.amount}>{formatPaise(refund.amountPaise)}</p>
      <p className={styles.state}>
        <Badge tone={tones[refund.state]}>{refundTitle(refund)}</Badge>
      </p>
      <div className={styles.more}>
        <p className={styles.reason}>{refundReason(refund.reason)}</p>
        {refundLines(refund, new Date()).map((line) => (
          <p key={line}>{line}</p>
        ))}
      </div>
    </article>
  );
}
