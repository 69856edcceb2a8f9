import type { Ref } from 'react';
import { ButtonLink } from '#app/ui/button.tsx';
import { Picture } from '#app/ui/picture.tsx';
import { pictureSources } from '#domain/catalog/product-image.ts';
import styles from './empty-cart.module.css';

const picture = pictureSources('/images/empty-cart-960.webp');
const sizes = '(min-width: 769px) 60vw, 100vw';

export function EmptyCart({ notice, heading }: { notice: string | null; heading: Ref<HTMLHeadingElement> }) {
  return (
    <main className={styles.page}>
      <Picture
        sources={picture}
        sizes={sizes}
        className={styles.picture}
        alt="An empty sweet box with only crumbs left"
        width={960}
        height={960}
        fetchPriority="high"
      />
      <div className={styles.words}>
        <h1 ref={heading} tabIndex={-1}>
          Your cart is empty
        </h1>
        <p>{notice ?? 'Only crumbs left. Let’s fill the box again.'}</p>
        <ButtonLink variant="primary" to="/shop">
          Go to the shop
        </ButtonLink>
      </div>
    </main>
  );
}
