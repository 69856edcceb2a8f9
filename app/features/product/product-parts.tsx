import { FoodMark } from '#app/ui/food-mark.tsx';
import { Picture } from '#app/ui/picture.tsx';
import { formatRating, Stars } from '#app/ui/stars.tsx';
import { offerTag } from '#domain/catalog/offer.ts';
import type { Product, ProductDetails } from '#domain/catalog/product.ts';
import { pictureSources } from '#domain/catalog/product-image.ts';
import { formatCount } from '#domain/money.ts';
import styles from './product-parts.module.css';

export const modalPictureSizes = '(min-width: 769px) 420px, 100vw';

/** Parts that the product's page and its modal share. */
export function ProductPicture({ product, sizes }: { product: Product; sizes: string }) {
  const picture = pictureSources(product.image);
  const tag = offerTag(product);
  return (
    <div className={styles.picture} data-category={product.category} data-sold-out={!product.available || undefined}>
      <Picture sources={picture} sizes={sizes} alt={product.name} width={960} height={960} fetchPriority="high" />
      {tag && <span className={styles.tag}>{tag}</span>}
    </div>
  );
}

/** Its category, and whether it is vegetarian. */
export function ProductKind({ product: { category, foodMark } }: { product: Product }) {
  return (
    <p className={styles.kind}>
      <span className={styles.badge} data-category={category}>
        {category}
      </span>
      <FoodMark of={foodMark} />
    </p>
  );
}

export function AverageRating({ rating, reviewCount }: Pick<ProductDetails, 'rating' | 'reviewCount'>) {
  if (reviewCount === 0 || rating === null) return <p className={styles.rating}>No reviews yet</p>;
  return (
    <p className={styles.rating}>
      <Stars rating={rating} />
      <span aria-hidden="true">{formatRating(rating)}</span>
      <span>
        ({formatCount(reviewCount)} {reviewCount === 1 ? 'review' : 'reviews'})
      </span>
    </p>
  );
}
