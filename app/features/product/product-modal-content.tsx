import { type ReactNode, useState } from 'react';
import { Link } from 'react-router';
import { useMediaQuery } from '#app/ui/after-hydration.ts';
import type { ProductDetails } from '#domain/catalog/product.ts';
import { shorten } from '#domain/catalog/shorten.ts';
import { ExpandIcon } from './product-icons.tsx';
import styles from './product-modal.module.css';
import { AverageRating, CategoryBadge, ProductPicture } from './product-parts.tsx';
import { type PurchaseActions, PurchaseOptions } from './purchase-options.tsx';

const charactersOnPhones = 120;

export type ProductModalContentProps = PurchaseActions & {
  product: ProductDetails;
  /** Where it can be sent, and by when, for so many grams. */
  delivery(product: ProductDetails, grams: number): ReactNode;
};

export function ProductModalContent({ product, delivery, addToCart, buyNow }: ProductModalContentProps) {
  const [grams, setGrams] = useState(0);
  const page = `/product/${product.id}`;
  return (
    <div className={styles.content}>
      <Link to={page} className={styles.expand} aria-label={`Open the page of ${product.name}`}>
        <ExpandIcon />
      </Link>
      <div className={styles.picture}>
        <ProductPicture product={product} sizes="(min-width: 769px) 420px, 100vw" />
      </div>
      <div className={styles.details}>
        <CategoryBadge category={product.category} />
        <h2 id="product-modal-title">{product.name}</h2>
        <AverageRating rating={product.rating} reviewCount={product.reviewCount} />
        <div className={styles.words}>
          <Description text={product.description} page={page} />
          {product.available && delivery(product, grams)}
        </div>
        <div className={styles.actions}>
          <PurchaseOptions product={product} minQuantity={0} onGrams={setGrams} addToCart={addToCart} buyNow={buyNow} />
        </div>
      </div>
    </div>
  );
}

function Description({ text, page }: { text: string; page: string }) {
  const isPhone = useMediaQuery('(max-width: 768px)');
  const short = shorten(text, charactersOnPhones);
  if (!isPhone || !short.isShortened) return <p className={styles.description}>{text}</p>;
  return (
    <p className={styles.description}>
      {short.text} <Link to={page}>Read more</Link>
    </p>
  );
}
