import type { ReactNode } from 'react';
import { ButtonAnchor } from './button.tsx';
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
        <ButtonAnchor href="/shop" variant={first ? 'secondary' : 'primary'}>
          Go to the shop
        </ButtonAnchor>
        <ButtonAnchor href="/">Home</ButtonAnchor>
        <ButtonAnchor href="/cart">Cart</ButtonAnchor>
      </div>
    </main>
  );
}
