import { offerTag } from '#domain/catalog/offer.ts';
import type { Product } from '#domain/catalog/product.ts';
import { pictureSources } from '#domain/catalog/product-image.ts';
import { formatPaise } from '#domain/money.ts';
import styles from './product-card.module.css';

const sizes = '(min-width: 1200px) 270px, (min-width: 769px) 30vw, 46vw';

export function ProductCard({ product, eager }: { product: Product; eager: boolean }) {
  const picture = pictureSources(product.image);
  const tag = offerTag(product);
  return (
    <article className={styles.card} data-category={product.category}>
      <div className={styles.picture}>
        <picture>
          {picture.avif && <source type="image/avif" srcSet={picture.avif} sizes={sizes} />}
          <img
            src={picture.src}
            srcSet={picture.webp}
            sizes={sizes}
            alt=""
            width={480}
            height={480}
            loading={eager ? 'eager' : 'lazy'}
            fetchPriority={eager ? 'high' : 'auto'}
            decoding="async"
          />
        </picture>
        {tag && <span className={styles.tag}>{tag}</span>}
      </div>
      <p className={styles.category}>{product.category}</p>
      <h2 className={styles.name}>{product.name}</h2>
      <p className={styles.price}>
        <span>{formatPaise(product.pricePaise)}</span>
        {product.regularPricePaise !== null && <s>{formatPaise(product.regularPricePaise)}</s>}
        {product.hasSize && <small>500 g</small>}
      </p>
    </article>
  );
}
