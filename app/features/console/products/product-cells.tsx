import { href, Link } from 'react-router';
import { Badge } from '#app/ui/badge.tsx';
import type { Column } from '#app/ui/data-table.tsx';
import { FoodMark } from '#app/ui/food-mark.tsx';
import { Picture } from '#app/ui/picture.tsx';
import type { ProductRow } from '#contracts/console/products.ts';
import { offerTag } from '#domain/catalog/offer.ts';
import { pictureSources } from '#domain/catalog/product-image.ts';
import { formatPaise } from '#domain/money.ts';
import { gapWords } from '#domain/products/listing-gaps.ts';
import { marginOf } from '#domain/products/margin.ts';
import { formatStock } from '#domain/stock/quantity.ts';
import { InlinePrice } from './inline-price.tsx';
import styles from './product-cells.module.css';
import { isBacked, isLow, standingOf } from './product-data.ts';

export type RowActions = {
  savePrice(row: ProductRow, pricePaise: number): Promise<string | null>;
  setListed(row: ProductRow, isListed: boolean): void;
};

export const columnsOf = ({ savePrice, setListed }: RowActions): Column<ProductRow>[] => [
  { key: 'name', title: 'Product', sort: 'name', cell: (row) => <Name row={row} /> },
  {
    key: 'price',
    title: 'Price',
    sort: 'price',
    align: 'end',
    cell: (row) => <InlinePrice key={row.updated_at} row={row} save={(price) => savePrice(row, price)} />,
  },
  { key: 'offer', title: 'Offer', cell: (row) => <Offer row={row} />, hideOnPhone: true },
  { key: 'stock', title: 'Available', sort: 'stock', align: 'end', cell: (row) => <Stock row={row} /> },
  { key: 'state', title: 'In the shop', cell: (row) => <Standing row={row} setListed={setListed} /> },
  {
    key: 'rating',
    title: 'Rating',
    sort: 'rating',
    align: 'end',
    hideOnPhone: true,
    hideOnTablet: true,
    cell: (row) => <Rating row={row} />,
  },
  { key: 'margin', title: 'Margin', sort: 'margin', align: 'end', cell: (row) => <Margin row={row} /> },
];

function Name({ row }: { row: ProductRow }) {
  return (
    <div className={styles.name}>
      <Picture
        className={styles.picture}
        sources={pictureSources(row.image)}
        sizes="48px"
        width={48}
        height={48}
        loading="lazy"
      />
      <div>
        <Link to={href('/admin/products/:id', { id: String(row.id) })}>{row.name}</Link>
        <span className={styles.category} data-category={row.category}>
          {row.category}
          <FoodMark of={row.food_mark} />
        </span>
      </div>
    </div>
  );
}

export function Offer({ row }: { row: ProductRow }) {
  const tag = offerTag({ available: true, offerPercent: row.offer_percent });
  return (
    <>
      <span className={tag ? styles.tag : styles.none}>{tag ?? 'none'}</span>
      {row.regular_price_paise !== null && <s className={styles.under}>{formatPaise(row.regular_price_paise)}</s>}
    </>
  );
}

export function Stock({ row }: { row: ProductRow }) {
  return (
    <Link className={styles.stock} to={href('/admin/inventory/:productId', { productId: String(row.id) })}>
      <span className="visually-hidden">Stock of {row.name}: </span>
      <span>{formatStock(row.on_hand - row.reserved, { hasSize: row.has_size })}</span>
      {row.reserved > 0 && (
        <span className={styles.under}>{formatStock(row.on_hand, { hasSize: row.has_size })} on hand</span>
      )}
      {isLow(row) && <Badge tone="warn">Low</Badge>}
    </Link>
  );
}

export function Standing({ row, setListed }: { row: ProductRow } & Pick<RowActions, 'setListed'>) {
  const { label, tone } = standingOf(row);
  return (
    <div className={styles.standing}>
      <Badge tone={tone}>{label}</Badge>
      <MissingFacts row={row} />
      <UnbackedOffer row={row} />
      {row.archived_at === null && (
        <label>
          <input
            type="checkbox"
            aria-label={`${row.name} is listed`}
            checked={row.is_listed}
            onChange={(event) => setListed(row, event.target.checked)}
          />
          Listed
        </label>
      )}
    </div>
  );
}

/** What an unlisted product needs before it can be listed, and a listed one should have had. */
export function MissingFacts({ row }: { row: ProductRow }) {
  if (row.archived_at !== null || row.missing_facts.length === 0) return null;
  return (
    <>
      {row.is_listed && <Badge tone="warn">Details missing</Badge>}
      <span className={styles.missing}>Missing: {gapWords(row.missing_facts)}</span>
    </>
  );
}

/** The tag says something else than the prices do. */
function UnbackedOffer({ row }: { row: ProductRow }) {
  if (row.archived_at !== null || isBacked(row)) return null;
  return (
    <>
      <Badge tone="warn">Offer without price cut</Badge>
      <span className={styles.missing}>
        “{offerTag({ available: true, offerPercent: row.offer_percent })}”{' '}
        {row.regular_price_paise === null ? 'without a regular price' : 'against another regular price'}
      </span>
    </>
  );
}

function Rating({ row }: { row: ProductRow }) {
  if (row.rating === null || row.review_count === 0) return <span className={styles.none}>none</span>;
  return (
    <>
      {row.rating.toFixed(1)} ★<span className={styles.under}>{row.review_count} reviews</span>
    </>
  );
}

export function Margin({ row }: { row: ProductRow }) {
  const margin = marginOf(row.price_paise, row.unit_cost_paise);
  if (!margin || row.unit_cost_paise === null) return <span className={styles.none}>unknown</span>;
  return (
    <span>
      <span data-loss={margin.paise < 0 || undefined} className={styles.margin}>
        {margin.percent}%
      </span>
      <span className={styles.under}>cost {formatPaise(row.unit_cost_paise)}</span>
    </span>
  );
}
