import { freshness } from '#domain/catalog/food-facts.ts';
import type { ProductDetails } from '#domain/catalog/product.ts';
import styles from './product-notes.module.css';

/** What people ask at the counter: how it tastes, how it travels, how long it keeps, and who must not eat it. */
export function ProductNotes({ product }: { product: ProductDetails }) {
  const notes = [
    { label: 'What it tastes like', text: product.taste },
    { label: 'How it travels', text: product.travel },
    { label: 'How long it keeps', text: freshness(product) },
    { label: 'Allergens', text: product.allergens, isStrong: true },
  ].filter(({ text }) => text.trim() !== '');
  if (notes.length === 0) return null;
  return (
    <dl className={styles.notes}>
      {notes.map(({ label, text, isStrong }) => (
        <div key={label}>
          <dt>{label}</dt>
          <dd>{isStrong ? <strong>{text}</strong> : text}</dd>
        </div>
      ))}
    </dl>
  );
}
