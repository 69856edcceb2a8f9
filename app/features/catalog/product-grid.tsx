import type { ReactNode } from 'react';
import title from '#app/ui/section-title.module.css';
import type { Product } from '#domain/catalog/product.ts';
import { cardsPerRow, countInFullRows } from '#domain/home/full-rows.ts';
import { CardItem, type ProductCardProps } from './product-card.tsx';
import styles from './product-grid.module.css';

export type ProductGridProps = {
  heading: string;
  products: Product[];
  /** Stands under the cards. */
  after: ReactNode;
  delivery: ProductCardProps['delivery'];
  onQuickAdd(product: Product): void;
};

/** Whole rows of cards: what would stand alone in the last row is marked here and hidden by CSS, per width. */
export function ProductGrid({ heading, products, after, delivery, onQuickAdd }: ProductGridProps) {
  const shown = {
    narrow: countInFullRows(products.length, cardsPerRow.narrow),
    wide: countInFullRows(products.length, cardsPerRow.wide),
  };
  return (
    <section className={styles.section}>
      <h2 className={title.title}>{heading}</h2>
      {products.length === 0 ? (
        <p className={styles.empty}>We’re out of sweets right now. Please come back soon.</p>
      ) : (
        <ul className={styles.grid}>
          {products.map((product, index) => (
            <CardItem
              key={product.id}
              product={product}
              eager={false}
              trimmedOn={trimmedOn(index, shown)}
              delivery={delivery}
              onQuickAdd={onQuickAdd}
            />
          ))}
        </ul>
      )}
      <p className={styles.after}>{after}</p>
    </section>
  );
}

function trimmedOn(index: number, shown: Record<keyof typeof cardsPerRow, number>): string | undefined {
  const screens = (['narrow', 'wide'] as const).filter((screen) => index >= shown[screen]);
  return screens.length > 0 ? screens.join(' ') : undefined;
}
