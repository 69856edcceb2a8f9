import type { MouseEvent } from 'react';
import { Link, useLocation, useNavigate } from 'react-router';
import { FoodMark } from '#app/ui/food-mark.tsx';
import { Picture } from '#app/ui/picture.tsx';
import { Stars } from '#app/ui/stars.tsx';
import { hasModal, searchWithProduct } from '#domain/catalog/modal-address.ts';
import { offerTag } from '#domain/catalog/offer.ts';
import type { Product } from '#domain/catalog/product.ts';
import { pictureSources } from '#domain/catalog/product-image.ts';
import { formatPaise } from '#domain/money.ts';
import styles from './product-card.module.css';

const homeSizes = '(min-width: 1200px) 360px, (min-width: 769px) 30vw, 46vw';

export type ProductCardProps = {
  product: Product;
  /** For cards that are seen at once. */
  eager: boolean;
  /** How wide the picture is, for `<img sizes>`. */
  sizes?: string;
  /** Offers a small button that puts one into the cart. */
  onQuickAdd?(product: Product): void;
};

export function ProductCard({ product, eager, sizes = homeSizes, onQuickAdd }: ProductCardProps) {
  const picture = pictureSources(product.image);
  const tag = offerTag(product);
  return (
    <article className={styles.card} data-category={product.category} data-sold-out={!product.available || undefined}>
      <div className={styles.picture}>
        <Picture
          sources={picture}
          sizes={sizes}
          width={480}
          height={480}
          loading={eager ? 'eager' : 'lazy'}
          fetchPriority={eager ? 'high' : 'auto'}
        />
        {tag && <span className={styles.tag}>{tag}</span>}
      </div>
      <p className={styles.category}>
        {product.category}
        <FoodMark of={product.foodMark} />
      </p>
      <h3 className={styles.name}>
        <ProductLink product={product} />
      </h3>
      <p className={styles.rating}>
        {product.reviewCount > 0 && product.rating !== null ? (
          <>
            <Stars rating={product.rating} />
            <span>
              ({product.reviewCount}
              <span className="visually-hidden"> {product.reviewCount === 1 ? 'review' : 'reviews'}</span>)
            </span>
          </>
        ) : (
          'No reviews yet'
        )}
      </p>
      <div className={styles.bottom}>
        <Price product={product} />
        {onQuickAdd && product.available && (
          <button
            type="button"
            className={styles.add}
            aria-label={`Add ${product.name} to Cart`}
            onClick={() => onQuickAdd(product)}
          >
            <svg viewBox="0 0 24 24" width="20" height="20" stroke="currentColor" strokeWidth="1.8" aria-hidden="true">
              <path d="M12 5v14M5 12h14" strokeLinecap="round" />
            </svg>
          </button>
        )}
      </div>
    </article>
  );
}

function Price({ product }: { product: Product }) {
  return (
    <p className={styles.price}>
      {product.available ? (
        <>
          <span className={styles.amount}>{formatPaise(product.pricePaise)}</span>
          {product.regularPricePaise !== null && (
            <s>
              <span className="visually-hidden">instead of </span>
              {formatPaise(product.regularPricePaise)}
            </s>
          )}
          {product.hasSize && <small>per 500 g</small>}
        </>
      ) : (
        <span className={styles.soldOut}>Out of stock</span>
      )}
    </p>
  );
}

/** A link to the product's page; a plain click opens the modal over the list instead, and Back closes it. */
function ProductLink({ product }: { product: Product }) {
  const { pathname, search } = useLocation();
  const navigate = useNavigate();

  function open(event: MouseEvent) {
    const isPlain = event.button === 0 && !(event.metaKey || event.ctrlKey || event.shiftKey || event.altKey);
    if (!isPlain || !hasModal(pathname)) return;
    event.preventDefault();
    void navigate(
      { pathname, search: searchWithProduct(search, product.name) },
      { state: { fromCard: true }, preventScrollReset: true, defaultShouldRevalidate: false },
    );
  }

  return (
    <Link to={`/product/${product.id}`} className={styles.link} onClick={open}>
      {product.name}
    </Link>
  );
}
