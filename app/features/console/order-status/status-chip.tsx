import type { CSSProperties } from 'react';
import type { OrderStatus } from '#domain/orders/status.ts';
import { statusWords } from './order-words.ts';
import styles from './status-chip.module.css';
import { statusLooks } from './status-look.ts';

/** The status of an order, the same on every screen of the console. */
export function StatusChip({ status }: { status: OrderStatus }) {
  const { light, dark, sign } = statusLooks[status];
  return (
    <span
      className={styles.chip}
      data-status={status}
      style={{ '--tone-light': light, '--tone-dark': dark } as CSSProperties}
    >
      <svg viewBox="0 0 16 16" width="14" height="14" aria-hidden="true">
        <path d={sign} />
      </svg>
      {statusWords[status].title}
    </span>
  );
}
