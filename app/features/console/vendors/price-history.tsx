import { href, Link } from 'react-router';
import { ButtonLink } from '#app/ui/button.tsx';
import { DataTable } from '#app/ui/data-table.tsx';
import { EmptyState, FailedState } from '#app/ui/empty-state.tsx';
import { Loading, Panel } from '#app/ui/panel.tsx';
import { type ItemPrice, readItemPrices } from '#contracts/console/purchases.ts';
import { compare } from '#domain/console/comparison.ts';
import { formatPaise } from '#domain/money.ts';
import { formatPurchased, perUnit } from '#domain/purchases/units.ts';
import { formatDay, instantFrom } from '#domain/time.ts';
import { useShopQuery } from '../data/shop-query.ts';
import { pricePoints } from './price-line.ts';

import styles from './vendors.module.css';

const dayOf = (moment: string) => {
  const instant = instantFrom(moment);
  return instant ? formatDay(instant) : '—';
};

/** What one thing has cost, from whomever it came: a line and the orders behind it. */
export function PriceHistory({ item, closeHref }: { item: string; closeHref: string }) {
  const { data, isPending, isLoadingError, refetch, isPlaceholderData } = useShopQuery(readItemPrices, {
    item_name: item,
  });
  return (
    <Panel
      title={`Prices of ${item}`}
      actions={
        <ButtonLink size="small" to={closeHref} preventScrollReset>
          Close
        </ButtonLink>
      }
    >
      {isPending && <Loading rows={3} />}
      {isLoadingError && <FailedState retry={refetch} />}
      {data !== undefined && (
        <div className={styles.part} aria-busy={isPlaceholderData || undefined}>
          <PriceLines prices={data.rows} />
          <PriceTable item={item} prices={data.rows} />
        </div>
      )}
    </Panel>
  );
}

const box = { width: 300, height: 56 };

/** One small line for each way it is measured; a single price makes none. The table tells the numbers. */
function PriceLines({ prices }: { prices: readonly ItemPrice[] }) {
  const units = [...new Set(prices.map(({ compared_unit }) => compared_unit))];
  return units.map((unit) => {
    const line = prices.filter(({ compared_unit }) => compared_unit === unit).toReversed();
    const paid = line.map(({ compared_paise }) => compared_paise);
    const [first, last] = [line[0], line.at(-1)];
    if (!first || !last || line.length < 2) return null;
    const points = pricePoints(paid, box);
    return (
      <div key={unit} className={styles.priceLine} aria-hidden="true">
        <span>
          {formatPaise(first.compared_paise)}
          <small>{dayOf(first.ordered_at)}</small>
        </span>
        <svg aria-hidden="true" viewBox={`-4 -4 ${box.width + 8} ${box.height + 8}`} preserveAspectRatio="none">
          <polyline points={points.map(({ x, y }) => `${x},${y}`).join(' ')} />
        </svg>
        <span>
          {formatPaise(last.compared_paise)}
          <small>
            {perUnit(unit)}, {compare(last.compared_paise, first.compared_paise).words}
          </small>
        </span>
      </div>
    );
  });
}

function PriceTable({ item, prices }: { item: string; prices: readonly ItemPrice[] }) {
  return (
    <DataTable
      caption={`Price history of ${item}`}
      rows={prices}
      rowKey={({ id }) => String(id)}
      empty={<EmptyState title="Never ordered." />}
      columns={[
        {
          key: 'day',
          title: 'Ordered',
          isOneLine: true,
          cell: ({ ordered_at, purchase_id }) => (
            <Link to={href('/admin/purchases/:id', { id: String(purchase_id) })}>{dayOf(ordered_at)}</Link>
          ),
        },
        { key: 'vendor', title: 'Vendor', cell: ({ vendor }) => vendor },
        {
          key: 'quantity',
          title: 'Quantity',
          align: 'end',
          cell: ({ quantity, unit }) => formatPurchased(quantity, unit),
        },
        {
          key: 'price',
          title: 'Price before GST',
          align: 'end',
          cell: ({ compared_paise, compared_unit }) => `${formatPaise(compared_paise)} ${perUnit(compared_unit)}`,
        },
      ]}
    />
  );
}
