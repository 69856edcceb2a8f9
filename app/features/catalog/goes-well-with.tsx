import { useNavigate } from 'react-router';
import type { Product } from '#domain/catalog/product.ts';
import styles from './goes-well-with.module.css';
import { ProductCard } from './product-card.tsx';

type Props = { products: readonly Product[]; onQuickAdd(product: Product): void };

/** Cards that lead to other product pages: there is no modal over this one. */
export default function GoesWellWith({ products, onQuickAdd }: Props) {
  const navigate = useNavigate();
  if (products.length === 0) return null;
  return (
    <section className={styles.section} aria-labelledby="goes-well-with">
      <h2 id="goes-well-with">Goes well with</h2>
      <ul>
        {products.map((product) => (
          <li key={product.id}>
            <ProductCard
              product={product}
              eager={false}
              sizes="(min-width: 1200px) 270px, (min-width: 769px) 22vw, 44vw"
              onQuickAdd={onQuickAdd}
              onOpen={(event, { id }) => {
                if (event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return;
                event.preventDefault();
                void navigate(`/product/${id}`);
              }}
            />
          </li>
        ))}
      </ul>
    </section>
  );
}
