import { type ReactNode, useState } from 'react';
import { Link } from 'react-router';
import { useMediaQuery } from '#app/ui/after-hydration.ts';
import { iconButtonClass } from '#app/ui/button.tsx';
import { NearLink } from '#app/ui/near-link.tsx';
import { paisePer100g, plusGst, shelfLife } from '#domain/catalog/food-facts.ts';
import type { ProductDetails } from '#domain/catalog/product.ts';
import { shorten } from '#domain/catalog/shorten.ts';
import { formatPaise } from '#domain/money.ts';
import { Gallery, modalPictureSizes } from './gallery.tsx';
import { ExpandIcon } from './product-icons.tsx';
import styles from './product-modal.module.css';
import { AverageRating, ProductKind } from './product-parts.tsx';
import { type Choice, type PurchaseActions, PurchaseOptions } from './purchase-options.tsx';

const charactersOnPhones = 120;

export type ProductModalContentProps = PurchaseActions & {
  product: ProductDetails;
  /** Where it can be sent, and by when, for so many grams. */
  delivery(product: ProductDetails, grams: number): ReactNode;
};

export function ProductModalContent({ product, delivery, addToCart, buyNow }: ProductModalContentProps) {
  const [choice, setChoice] = useState<Choice | null>(null);
  const page = `/product/${product.id}`;
  return (
    <div className={styles.content}>
      <NearLink
        to={page}
        viewTransition
        className={iconButtonClass({ isFramed: true }, styles.expand)}
        aria-label={`See full details of ${product.name}`}
      >
        <ExpandIcon />
      </NearLink>
      <div className={styles.picture}>
        <Gallery product={product} sizes={modalPictureSizes} />
      </div>
      <div className={styles.details}>
        <ProductKind product={product} />
        <h2 id="product-modal-title">{product.name}</h2>
        <AverageRating rating={product.rating} reviewCount={product.reviewCount} />
        <div className={styles.words}>
          <div>
            <Description text={product.description} page={page} />
            <Essentials product={product} page={page} />
          </div>
          {product.available && delivery(product, choice?.grams ?? 0)}
        </div>
        <div className={styles.actions}>
          <PurchaseOptions
            product={product}
            minQuantity={0}
            onChoice={setChoice}
            addToCart={addToCart}
            buyNow={buyNow}
          />
        </div>
      </div>
    </div>
  );
}

/** What decides whether one may eat it; the rest is on its page. */
function Essentials({ product, page }: { product: ProductDetails; page: string }) {
  const { allergens, shelfLifeDays, storage } = product;
  const keeps = [shelfLifeDays && `Keeps for ${shelfLife(shelfLifeDays)}`, storage].filter(Boolean).join(' · ');
  return (
    <dl className={styles.essentials}>
      {allergens && (
        <div>
          <dt>Allergens</dt>
          <dd>
            <strong>{allergens}</strong>
          </dd>
        </div>
      )}
      {keeps && (
        <div>
          <dt>Freshness</dt>
          <dd>{keeps}</dd>
        </div>
      )}
      <div>
        <dt>Per 100 g</dt>
        <dd>
          {formatPaise(paisePer100g(product))}
          {plusGst(product)} ·{' '}
          <Link to={page} viewTransition>
            Ingredients and more
          </Link>
        </dd>
      </div>
    </dl>
  );
}

function Description({ text, page }: { text: string; page: string }) {
  const isPhone = useMediaQuery('(max-width: 768px)');
  const short = shorten(text, charactersOnPhones);
  if (!isPhone || !short.isShortened) return <p className={styles.description}>{text}</p>;
  return (
    <p className={styles.description}>
      {short.text}{' '}
      <Link to={page} viewTransition>
        Read more
      </Link>
    </p>
  );
}
