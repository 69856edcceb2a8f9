import { ButtonLink } from '#app/ui/button.tsx';
import { EmptyState } from '#app/ui/empty-state.tsx';
import type { Category } from '#domain/catalog/category.ts';
import type { Product } from '#domain/catalog/product.ts';
import { isFiltered, nextShown, type ShopView, shopAddress } from '#domain/catalog/shop-view.ts';
import { CardItem, type ProductCardProps } from './product-card.tsx';
import styles from './shop-sections.module.css';

const sizes = '(min-width: 1200px) 270px, (min-width: 769px) 30vw, 46vw';
// The first row is what people see at once; the rest may come when they scroll.
const eagerPictures = 4;

type Section = { category: Category; total: number; products: Product[] };

/** What a card may do and say besides showing its product. */
export type CardParts = Pick<ProductCardProps, 'delivery' | 'onQuickAdd' | 'onNotify'>;
export type ShopSectionsProps = { view: ShopView; sections: Section[]; parts: CardParts };

export function ShopSections({ view, sections, parts }: ShopSectionsProps) {
  const filled = sections.filter(({ products }) => products.length > 0);
  if (filled.length === 0) return <Nothing view={view} />;
  return filled.map(({ category, total, products }, index) => {
    const next = nextShown(view, total);
    const id = `section-${category.toLowerCase().replace(/\s+/g, '-')}`;
    return (
      <section key={category} className={styles.section} aria-labelledby={id} data-category={category}>
        <h2 id={id} className={styles.title}>
          {category}
        </h2>
        <Cards products={products} isFirst={index === 0} parts={parts} />
        {next !== null && (
          <p className={styles.more}>
            <ButtonLink to={shopAddress({ ...view, shown: next })} preventScrollReset>
              Show more<span className="visually-hidden"> of {category}</span>
            </ButtonLink>
          </p>
        )}
        {next === null && total > products.length && (
          <p className={styles.more}>Showing the first {products.length}. Use the filters to see more.</p>
        )}
      </section>
    );
  });
}

type CardsProps = { products: Product[]; isFirst: boolean; parts: CardParts };

export function Cards({ products, isFirst, parts }: CardsProps) {
  return (
    <ul className={styles.grid}>
      {products.map((product, place) => (
        <CardItem
          key={product.id}
          product={product}
          eager={isFirst && place < eagerPictures}
          sizes={sizes}
          {...parts}
        />
      ))}
    </ul>
  );
}

export function Nothing({ view }: { view: ShopView }) {
  return isFiltered(view) ? (
    <EmptyState
      heading="h2"
      title="Nothing matches these filters."
      // The tabs keep the price.
      text={view.q ? 'Try another price or category.' : 'Try another price, or another tab above.'}
      action={
        <ButtonLink variant="primary" to={shopAddress({ q: view.q, tab: view.tab, sort: view.sort })}>
          Clear the filters
        </ButtonLink>
      }
    />
  ) : (
    <EmptyState
      heading="h2"
      title="Nothing available here right now."
      text="Have a look at our boxes instead."
      action={
        <ButtonLink variant="primary" to={shopAddress({})}>
          See our boxes
        </ButtonLink>
      }
    />
  );
}
