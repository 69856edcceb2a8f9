import type { Product } from '#domain/catalog/product.ts';
import { ProductCard } from './product-card.tsx';
import styles from './product-grid.module.css';

// The first row is what people see at once; the rest may come when they scroll.
const eagerPictures = 4;

export function ProductGrid({ title, products }: { title: string; products: Product[] }) {
  return (
    <section className={styles.section}>
      <h1 className={styles.title}>{title}</h1>
      {products.length === 0 ? (
        <p className={styles.empty}>The kitchen is busy: nothing is on the counter right now. Please come back soon.</p>
      ) : (
        <ul className={styles.grid}>
          {products.map((product, index) => (
            <li key={product.id}>
              <ProductCard product={product} eager={index < eagerPictures} />
            </li>
          ))}
        </ul>
      )}
    </section>
  );
}
