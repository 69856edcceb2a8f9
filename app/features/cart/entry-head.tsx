import type { ReactNode } from 'react';
import { Link } from 'react-router';
import { Button } from '#app/ui/button.tsx';
import { FoodMark } from '#app/ui/food-mark.tsx';
import { Picture } from '#app/ui/picture.tsx';
import { Skeleton } from '#app/ui/skeleton.tsx';
import { inclGst } from '#domain/catalog/price-with-tax.ts';
import { pictureSources } from '#domain/catalog/product-image.ts';
import { formatPaise } from '#domain/money.ts';
import type { CartProduct } from './cart-products.ts';
import styles from './entry.module.css';

export type EntryHeadProps = {
  productId: number;
  product: CartProduct | undefined;
  outOfStock: string;
  children?: ReactNode;
};

/** Picture, name and unit price; as high as its picture, whether it has loaded or not. */
export function EntryHead({ productId, product, outOfStock, children }: EntryHeadProps) {
  if (!product) {
    return (
      <>
        <Skeleton className={styles.picture} />
        <div className={styles.head}>
          <Skeleton className={styles.nameToCome} />
          <Skeleton className={styles.unitToCome} />
        </div>
      </>
    );
  }
  const picture = pictureSources(product.image);
  const inclusive = inclGst(product.pricePaise, product.gstPercent);
  return (
    <>
      <Picture sources={picture} sizes="112px" className={styles.picture} width={112} height={112} />
      <div className={styles.head}>
        <h3 className={styles.name}>
          <Link to={`/product/${productId}`}>{product.name}</Link>
        </h3>
        <p className={styles.unit}>
          <FoodMark of={product.foodMark} />
          <span>
            {formatPaise(product.pricePaise)} {product.hasSize ? 'per 500 g' : 'each'}
            {inclusive && <span className={styles.inclusive}>{inclusive}</span>}
          </span>
        </p>
        {product.available ? children : <p className={styles.unavailable}>{outOfStock}</p>}
      </div>
    </>
  );
}

export type LineProblemProps = { sentence: string; name: string; onRemove(): void };

/** Why this line is not in the totals, with the way out beside it. */
export function LineProblem({ sentence, name, onRemove }: LineProblemProps) {
  return (
    <p className={styles.problem} role="status">
      <span>{sentence}</span>{' '}
      <Button variant="text" aria-label={`Remove ${name}`} onClick={onRemove}>
        Remove
      </Button>
    </p>
  );
}
