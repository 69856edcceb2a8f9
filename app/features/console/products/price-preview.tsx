import { href, Link } from 'react-router';
import type { ProductRow } from '#contracts/console/products.ts';
import { formatPaise } from '#domain/money.ts';
import { maxOfferPercent, savedPercent } from '#domain/products/true-offer.ts';
import styles from './bulk-dialogs.module.css';
import { productsWord } from './product-data.ts';

/** What a product would cost, and against which regular price. */
export type NewPrice = { row: ProductRow; price: number; regular: number | null; problem: string | null };

const maxShown = 100;

/** Prices before and after a bulk change, with the tag that follows from them; those that stay first, with the reason. */
export function PricePreview({ results }: { results: readonly NewPrice[] }) {
  const sorted = [...results].sort((a, b) => Number(b.problem !== null) - Number(a.problem !== null));
  return (
    <table className={styles.preview}>
      <caption className="visually-hidden">Prices before and after</caption>
      <thead>
        <tr>
          <th scope="col">Product</th>
          <th scope="col">Now</th>
          <th scope="col">New</th>
        </tr>
      </thead>
      <tbody>
        {sorted.slice(0, maxShown).map(({ row, price, regular, problem }) => (
          <tr key={row.id}>
            <td>
              {problem ? <Opened row={row} /> : row.name}
              {problem && <div className={styles.problem}>{problem}</div>}
            </td>
            <td>{formatPaise(row.price_paise)}</td>
            <td>
              {problem ? (
                'stays'
              ) : (
                <>
                  {formatPaise(price)}
                  <Tag saved={savedPercent({ pricePaise: price, regularPricePaise: regular })} />
                </>
              )}
            </td>
          </tr>
        ))}
        {results.length > maxShown && (
          <tr>
            <td colSpan={3}>and {(results.length - maxShown).toLocaleString('en-IN')} more</td>
          </tr>
        )}
      </tbody>
    </table>
  );
}

/** In a tab of its own: the selection and what was typed here stay. */
function Opened({ row }: { row: ProductRow }) {
  return (
    <Link to={href('/admin/products/:id', { id: String(row.id) })} target="_blank" rel="noreferrer">
      {row.name}
      <span className="visually-hidden"> (opens in a new tab)</span>
    </Link>
  );
}

/** Says before saving that some products are left out of the change. */
export function KeptPrices({ count }: { count: number }) {
  return (
    <p role="status" className={styles.problem}>
      {productsWord(count)} cannot have the new price and {count === 1 ? 'stays' : 'stay'} as{' '}
      {count === 1 ? 'it is' : 'they are'}. The others are changed.
    </p>
  );
}

export const keptWords = (count: number): string => (count > 0 ? ` ${productsWord(count)} left as before.` : '');

function Tag({ saved }: { saved: number }) {
  if (saved === 0) return null;
  return (
    <div className={styles.rule}>
      {saved > maxOfferPercent ? `${maxOfferPercent}% off (highest tag)` : `${saved}% off`}
    </div>
  );
}
