import type { ReactNode } from 'react';
import styles from './lid.module.css';

export type LidProps = { state: 'open' | 'closing' | 'closed'; shopName: string; children: ReactNode };

/** The lid stands open behind the box, and closes over it when the box is bought. */
export function Lid({ state, shopName, children }: LidProps) {
  return (
    <div className={styles.scene}>
      <div className={styles.lid} data-state={state} aria-hidden="true">
        <span className={styles.inside} />
        <span className={styles.outside}>
          <span className={styles.ribbon} />
          <span className={styles.name}>{shopName}</span>
        </span>
      </div>
      {children}
    </div>
  );
}
