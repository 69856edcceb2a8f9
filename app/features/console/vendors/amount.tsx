import { formatPaise } from '#domain/money.ts';
import styles from './vendors.module.css';

export const notAnExpense =
  'Payments for goods are not expenses. Their cost is counted once, through the product’s unit cost, when the product is sold.';

/** The balance of a vendor; negative: they owe us. */
export function Owed({ paise: amount, overduePaise = 0 }: { paise: number; overduePaise?: number }) {
  if (amount === 0) return <span className={styles.amount}>nothing due</span>;
  if (amount < 0) return <span className={styles.amount}>they owe {formatPaise(-amount)}</span>;
  return (
    <span className={styles.amount}>
      <b>{formatPaise(amount)}</b>
      {overduePaise > 0 && (
        <span className={`${styles.small} ${styles.overdue}`}>{formatPaise(overduePaise)} overdue</span>
      )}
    </span>
  );
}

export function OwedSums({ owed, overdue, dueSoon }: { owed: number; overdue: number; dueSoon: number }) {
  return (
    <dl className={styles.owed}>
      <div>
        <dt>Total payable</dt>
        <dd>{formatPaise(owed)}</dd>
      </div>
      <div>
        <dt>Overdue</dt>
        <dd className={overdue > 0 ? styles.overdue : undefined}>{formatPaise(overdue)}</dd>
      </div>
      <div>
        <dt>Due within 7 days</dt>
        <dd>{formatPaise(dueSoon)}</dd>
      </div>
    </dl>
  );
}
