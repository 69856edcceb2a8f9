import { href, Link } from 'react-router';
import { BlankPanel, LoadingShape } from '#app/ui/loading-shapes.tsx';
import { Picture } from '#app/ui/picture.tsx';
import type { ProductRow } from '#contracts/console/products.ts';
import { pictureSources } from '#domain/catalog/product-image.ts';
import { InlinePrice } from './inline-price.tsx';
import { Margin, type RowActions, Standing, Stock } from './product-cells.tsx';

import styles from './product-grid.module.css';

type Props = RowActions & {
  rows: readonly ProductRow[];
  selected: ReadonlySet<string>;
  onSelect(selected: Set<string>): void;
  isStale: boolean;
};

/** The same list by its pictures. */
export function ProductGrid({ rows, selected, onSelect, isStale, savePrice, setListed }: Props) {
  function choose(id: number, wanted: boolean) {
    const next = new Set(selected);
    if (wanted) next.add(String(id));
    else next.delete(String(id));
    onSelect(next);
  }
  return (
    <ul className={styles.grid} aria-label="Products" aria-busy={isStale || undefined}>
      {rows.map((row) => (
        <li key={row.id} className={styles.card} data-selected={selected.has(String(row.id)) || undefined}>
          <input
            type="checkbox"
            aria-label={`Select ${row.name}`}
            checked={selected.has(String(row.id))}
            onChange={(event) => choose(row.id, event.target.checked)}
          />
          <Link to={href('/admin/products/:id', { id: String(row.id) })} className={styles.picture}>
            <Picture sources={pictureSources(row.image)} sizes="240px" width={240} height={240} loading="lazy" />
            <strong>{row.name}</strong>
          </Link>
          <div className={styles.facts}>
            <InlinePrice key={row.updated_at} row={row} save={(price) => savePrice(row, price)} />
            <Stock row={row} />
          </div>
          <Standing row={row} setListed={setListed} />
          <p className={styles.margin}>
            Margin <Margin row={row} />
          </p>
        </li>
      ))}
    </ul>
  );
}

/** Cards without their products yet. */
export function LoadingGrid() {
  return (
    <LoadingShape className={styles.grid}>
      {Array.from({ length: 8 }, (_, place) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: stand-ins have no other identity
        <BlankPanel key={place} hasChart lines={2} />
      ))}
    </LoadingShape>
  );
}
