import { FoodMark } from '#app/ui/food-mark.tsx';
import { formatRating, Stars } from '#app/ui/stars.tsx';
import type { Product, ProductDetails } from '#domain/catalog/product.ts';
import { formatCount } from '#domain/money.ts';
import styles from './product-parts.module.css';

/** Parts that the product's page and its modal share: its category, and whether it is vegetarian. */
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
