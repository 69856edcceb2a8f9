import { type ComponentType, type MouseEvent, memo } from 'react';
import { useNavigate } from 'react-router';
import { afterPaint } from '#app/ui/after-paint.ts';
import { FoodMark } from '#app/ui/food-mark.tsx';
import { insteadOfSubmit } from '#app/ui/instead-of-submit.ts';
import { setMovingPicture } from '#app/ui/moving-picture.ts';
import { Picture } from '#app/ui/picture.tsx';
import { Stars } from '#app/ui/stars.tsx';
import { searchWithProduct } from '#domain/catalog/modal-address.ts';
import { offerTag } from '#domain/catalog/offer.ts';
import { inclGst } from '#domain/catalog/price-with-tax.ts';
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
  /** A line about delivery. */
  delivery?: ComponentType<{ productId: number }> | undefined;
  /** Offers to be told when it is back, where it is sold out. */
  onNotify?(product: Product): void;
  /** May do something else than follow the link. */
  onOpen?(event: MouseEvent, product: Product): void;
};

export function ProductCard({
  product,
  eager,
  sizes = homeSizes,
  delivery: Delivery,
  onQuickAdd,
  onNotify,
  onOpen,
}: ProductCardProps) {
  const picture = pictureSources(product.image);
  const badge = product.available ? offerTag(product) : 'Out of stock';
  return (
    <article className={styles.card} data-category={product.category} data-sold-out={!product.available || undefined}>
      <div className={styles.picture}>
        <Picture
          sources={picture}
          sizes={sizes}
          width={480}
          height={480}
          loading={eager ? 'eager' : 'lazy'}
          fetchPriority={eager ? 'high' : undefined}
        />
        {badge && <span className={styles.tag}>{badge}</span>}
        {product.isPopular && <span className={styles.popular}>Popular</span>}
      </div>
      <p className={styles.category}>
        {product.category}
        <FoodMark of={product.foodMark} />
      </p>
      <h3 className={styles.name}>
        <a
          href={`/product/${product.id}`}
          className={styles.link}
          onClick={onOpen && ((event) => onOpen(event, product))}
        >
          {product.name}
        </a>
      </h3>
      <p className={styles.rating}>
        {product.reviewCount > 0 && product.rating !== null ? (
          <>
            <Stars rating={product.rating} />
            <span>
              {`(${product.reviewCount}`}
              <span className="visually-hidden">{product.reviewCount === 1 ? ' review' : ' reviews'}</span>)
            </span>
          </>
        ) : (
          'No reviews yet'
        )}
      </p>
      <div className={styles.bottom}>
        <Price product={product} />
        {onQuickAdd && product.available && (
          <form method="post" action="/cart" onSubmit={insteadOfSubmit(() => onQuickAdd(product))}>
            <button
              type="submit"
              name="product"
              value={product.id}
              className={styles.add}
              aria-label={`Add ${product.name} to Cart`}
            />
          </form>
        )}
        {onNotify && !product.available && (
          <form action={`/product/${product.id}`} onSubmit={insteadOfSubmit(() => onNotify(product))}>
            <button type="submit" className={styles.notify}>
              Notify me<span className="visually-hidden"> when {product.name} is back</span>
            </button>
          </form>
        )}
      </div>
      <p className={styles.inclusive}>{inclGst(product.pricePaise, product.gstPercent)}</p>
      {product.available && Delivery && <Delivery productId={product.id} />}
    </article>
  );
}

function Price({ product }: { product: Product }) {
  return (
    <p className={styles.price}>
      <span className={styles.amount}>{formatPaise(product.pricePaise)}</span>
      {product.regularPricePaise !== null && (
        <s>
          <span className="visually-hidden">instead of </span>
          {formatPaise(product.regularPricePaise)}
        </s>
      )}
      {product.hasSize && <small>per 500 g</small>}
    </p>
  );
}

export type CardItemProps = Omit<ProductCardProps, 'onOpen'> & { trimmedOn?: string | undefined };

/** A card in a list. Drawn again only when its product changes, not with each change of the list. */
export const CardItem = memo(({ trimmedOn, ...card }: CardItemProps) => {
  const onOpen = useOpenProduct();
  return (
    <li data-trimmed={trimmedOn}>
      <ProductCard {...card} onOpen={onOpen} />
    </li>
  );
});

/**
 * The card is a link to the product's page; a plain click opens the modal over the list instead, and Back closes it. Lists
 * of cards stand on pages that have it.
 */
function useOpenProduct(): (event: MouseEvent, product: Product) => void {
  const navigate = useNavigate();
  return (event, product) => {
    // Read at the click: cards that followed the address would all be drawn again when a modal opens.
    const { pathname, search } = window.location;
    if (event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return;
    event.preventDefault();
    const picture = event.currentTarget.closest('article')?.querySelector('img');
    afterPaint(() => {
      setMovingPicture(picture);
      void navigate(
        { pathname, search: searchWithProduct(search, product.name) },
        // What the card shows is known: the modal shows it while the rest loads.
        {
          state: { fromCard: true, product },
          preventScrollReset: true,
          defaultShouldRevalidate: false,
          viewTransition: true,
        },
      );
    });
  };
}
