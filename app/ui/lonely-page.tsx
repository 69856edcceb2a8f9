import type { ReactNode } from 'react';
import buttons from './button.module.css';
import styles from './lonely-page.module.css';

export type LonelyPageProps = {
  title: string;
  /** Comes before the ways to the shop: what is wrong can perhaps be put right. */
  first?: ReactNode;
  children?: ReactNode;
};

/**
 * A page with nothing of its own to show: it says why, and how to go on. Plain links: it also stands where the router has
 * failed.
 */
export function LonelyPage({ title, first, children }: LonelyPageProps) {
  return (
    <main className={styles.page}>
      <img className={styles.picture} src="/images/empty-cart-480.webp" alt="" width={240} height={240} />
      <h1>{title}</h1>
      {children}
      <div className={styles.ways}>
        {first}
        <a href="/shop" className={first ? buttons.quiet : buttons.main}>
          Go to the shop
        </a>
        <a href="/" className={buttons.quiet}>
          Home
        </a>
        <a href="/cart" className={buttons.quiet}>
          Cart
        </a>
      </div>
    </main>
  );
}
