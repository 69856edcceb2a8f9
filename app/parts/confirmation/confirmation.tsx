import type { ReactNode } from 'react';
import styles from './confirmation.module.css';
import { Rangoli } from './rangoli.tsx';

export type Standing = 'ordered' | 'confirming' | 'loading' | 'other';

/** The page after a payment: a flower, and what became of the money. */
export function Confirmation({ standing, children }: { standing: Standing; children: ReactNode }) {
  return (
    <main className={styles.page} aria-busy={standing === 'loading'}>
      <noscript>
        <p>Turn on JavaScript to see your order. The details are also in the email we sent you.</p>
      </noscript>
      <article className={styles.card}>
        <Rangoli mood={standing === 'ordered' ? 'blooming' : standing === 'other' ? 'still' : 'waiting'} />
        <div className={styles.words} data-state={standing}>
          {children}
        </div>
      </article>
    </main>
  );
}
