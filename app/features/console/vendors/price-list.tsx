import { Link } from 'react-router';
import { type Column, DataTable } from '#app/ui/data-table.tsx';
import { EmptyState, FailedState } from '#app/ui/empty-state.tsx';
import { LoadingTable } from '#app/ui/loading-shapes.tsx';
import { SearchField } from '#app/ui/search-field.tsx';
import { type BoughtItem, listBoughtItems } from '#contracts/console/purchases.ts';
import { compare } from '#domain/console/comparison.ts';
import { formatPaise } from '#domain/money.ts';
import { perUnit } from '#domain/purchases/units.ts';
import { formatDay, instantFrom } from '#domain/time.ts';
import { useShopQuery } from '../data/shop-query.ts';
import { Filters } from '../list/list-filters.tsx';
import { None } from '../list/none.tsx';
import { PriceHistory } from './price-history.tsx';

import styles from './vendors.module.css';

function columnsFor(hrefFor: (item: string) => string): readonly Column<BoughtItem>[] {
  return [
    {
      key: 'item',
      title: 'Item',
      cell: ({ item_name, times }) => (
        <span>
          <Link to={hrefFor(item_name)} preventScrollReset>
            {item_name}
          </Link>
          <span className={styles.small}>{times === 1 ? 'once' : `${times} times`}</span>
        </span>
      ),
    },
    {
      key: 'price',
      title: 'Last price',
      align: 'end',
      cell: ({ last_paise, unit }) => (
        <span className={styles.amount}>
          {formatPaise(last_paise)} <span className={styles.small}>{perUnit(unit)}</span>
        </span>
      ),
    },
    {
      key: 'change',
      title: 'Change',
      align: 'end',
      cell: ({ last_paise, before_paise }) =>
        before_paise === null ? <None /> : compare(last_paise, before_paise).words,
    },
    { key: 'vendor', title: 'Vendor', cell: ({ last_vendor }) => last_vendor },
    {
      key: 'day',
      title: 'Date',
      isOneLine: true,
      cell: ({ last_ordered_at }) => {
        const instant = instantFrom(last_ordered_at);
        return instant ? formatDay(instant) : '—';
      },
    },
  ];
}

export type PriceListProps = {
  vendorId?: number;
  search: string;
  item: string;
  onSearch(text: string): void;
  hrefFor(item: string): string;
};

/** What things cost the last time, without GST; and of one of them, ever since. */
export function PriceList({ vendorId, search, item, onSearch, hrefFor }: PriceListProps) {
  const { data, isPending, isLoadingError, refetch, isPlaceholderData } = useShopQuery(listBoughtItems, {
    search,
    ...(vendorId ? { vendor_id: vendorId } : {}),
  });
  return (
    <div className={styles.part}>
      {item && <PriceHistory item={item} closeHref={hrefFor('')} />}
      <Filters>
        <SearchField label="Search items bought" value={search} onSearch={onSearch} />
      </Filters>
      {isPending && <LoadingTable columns={columnsFor(hrefFor)} />}
      {isLoadingError && <FailedState retry={refetch} />}
      {data !== undefined && (
        <DataTable
          caption="Prices"
          columns={columnsFor(hrefFor)}
          rows={data.rows}
          rowKey={({ item_name, unit }) => `${item_name} ${unit}`}
          isStale={isPlaceholderData}
          empty={
            search ? (
              <EmptyState title="No matching items." />
            ) : (
              <EmptyState title="No purchases yet." text="Prices come from your purchase orders." />
            )
          }
        />
      )}
    </div>
  );
}
