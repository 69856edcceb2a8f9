import { formatPaise } from '#domain/money.ts';
import styles from './refund-state.module.css';
import { type Refund, refundLines, refundTitle } from './refunds.ts';

/** Where the money is. */
export function RefundState({ refund }: { refund: Refund }) {
  const lines = refundLines(refund, new Date());
  return (
    <div className={styles.refund} data-state={refund.state}>
      <p className={styles.title}>
        {refundTitle(refund)} <span className={styles.amount}>{formatPaise(refund.amountPaise)}</span>
      </p>
      {lines.map((line) => (
        <p key={line}>{line}</p>
      ))}
    </div>
  );
}
