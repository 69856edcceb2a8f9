import { type ReactNode, useState } from 'react';
import { Link } from 'react-router';
import { FoodMark } from '#app/ui/food-mark.tsx';
import { LonelyPage } from '#app/ui/lonely-page.tsx';
import { defaultSize } from '#domain/cart/cart.ts';
import type { FoodFact } from '#domain/catalog/food-facts.ts';
import type { ProductDetails } from '#domain/catalog/product.ts';
import { shopAddress } from '#domain/catalog/shop-view.ts';
import { Gallery } from './gallery.tsx';
import { ProductNotes } from './product-notes.tsx';
import styles from './product-page.module.css';
import { AverageRating, ProductKind } from './product-parts.tsx';
import { type Choice, type PurchaseActions, PurchaseOptions } from './purchase-options.tsx';

export type ProductPageProps = PurchaseActions & {
  product: ProductDetails;
  facts: readonly FoodFact[];
  reviews: ReactNode;
  /** The id under which the reviews are found. */
  reviewsId: string;
  /** Where what is chosen can be sent, and by when. */
  delivery(choice: Choice): ReactNode;
  /** Other products; nothing where there are none. */
  goesWellWith: ReactNode;
};

export function ProductPage(props: ProductPageProps) {
  const { product, facts, reviews, reviewsId, delivery, goesWellWith, addToCart, buyNow } = props;
  const [choice, setChoice] = useState<Choice>({ size: defaultSize, quantity: 1, grams: 0 });
  return (
    <main className={styles.page}>
      <nav className={styles.trail} aria-label="Breadcrumb">
        <Link to="/shop">Shop</Link>
        <Link to={shopAddress({ category: product.category })}>{product.category}</Link>
      </nav>
      <div className={styles.product}>
        <div className={styles.picture}>
          <Gallery product={product} sizes="(min-width: 1200px) 560px, (min-width: 769px) 46vw, 390px" />
        </div>
        <div className={styles.details}>
          <ProductKind product={product} />
          <h1>{product.name}</h1>
          <AverageRating rating={product.rating} reviewCount={product.reviewCount} />
          {product.description && <p className={styles.description}>{product.description}</p>}
          <PurchaseOptions
            product={product}
            minQuantity={1}
            inReach
            onChoice={setChoice}
            addToCart={addToCart}
            buyNow={buyNow}
          />
          {product.available && <div className={styles.delivery}>{delivery(choice)}</div>}
        </div>
        <ProductNotes product={product} />
        <FoodFacts facts={facts} product={product} />
      </div>
      {goesWellWith}
      <div id={reviewsId} className={styles.reviews}>
        {reviews}
      </div>
    </main>
  );
}

function FoodFacts({ facts, product }: Pick<ProductPageProps, 'facts' | 'product'>) {
  return (
    <details className={styles.facts}>
      <summary>Ingredients, storage and seller details</summary>
      <table>
        <caption className="visually-hidden">Ingredients & storage</caption>
        <tbody>
          {facts.map(({ label, value, isStrong, isMark, contacts }) => (
            <tr key={label}>
              <th scope="row">{label}</th>
              <td>
                {isMark && <FoodMark of={product.foodMark} />}
                {isStrong ? <strong>{value}</strong> : value}
                {contacts?.map(({ text, href }) => (
                  <a key={href} href={href}>
                    {text}
                  </a>
                ))}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </details>
  );
}

/** For an id that the shop does not know. The first words are the owner's. */
export function ProductMissing() {
  return (
    <LonelyPage title="Loading product...">
      <p>If nothing appears, this item is no longer available.</p>
    </LonelyPage>
  );
}
