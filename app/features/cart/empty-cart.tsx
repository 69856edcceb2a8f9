import type { Ref } from 'react';
import { Link } from 'react-router';
import buttons from '#app/ui/button.module.css';
import styles from './empty-cart.module.css';

const sources = (format: string) => [240, 480, 960].map((w) => `/images/empty-cart-${w}.${format} ${w}w`).join(', ');
const sizes = '(min-width: 769px) 60vw, 100vw';

export function EmptyCart({ notice, heading }: { notice: string | null; heading: Ref<HTMLHeadingElement> }) {
  return (
    <main className={styles.page}>
      <picture>
        <source type="image/avif" srcSet={sources('avif')} sizes={sizes} />
        <img
          className={styles.picture}
          src="/images/empty-cart-960.webp"
          srcSet={sources('webp')}
          sizes={sizes}
          alt="A sweets box with nothing left in it but crumbs"
          width={960}
          height={960}
          fetchPriority="high"
        />
      </picture>
      <div className={styles.words}>
        <h1 ref={heading} tabIndex={-1}>
          Your cart is empty
        </h1>
        <p>{notice ?? 'Only crumbs left. Let us fill the box again.'}</p>
        <Link className={buttons.main} to="/shop">
          Go to the shop
        </Link>
      </div>
    </main>
  );
}
