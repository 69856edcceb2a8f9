import { href, Link } from 'react-router';
import { Badge, type Tone } from '#app/ui/badge.tsx';
import { ButtonLink } from '#app/ui/button.tsx';
import { type Column, DataTable } from '#app/ui/data-table.tsx';
import { EmptyState, FailedState } from '#app/ui/empty-state.tsx';
import { LoadingTable } from '#app/ui/loading-shapes.tsx';
import { SearchField } from '#app/ui/search-field.tsx';
import { listPurchases, type PurchaseRow } from '#contracts/console/purchases.ts';
import { z } from '#contracts/z.ts';
import { formatPaise } from '#domain/money.ts';
import { type PurchaseStatus, statusLabel } from '#domain/purchases/status.ts';
import { calendarDay, formatDate, formatDay, instantFrom } from '#domain/time.ts';
import { useShopQuery } from '../data/shop-query.ts';
import { Choice, Filters } from '../list/list-filters.tsx';
import { ListPager } from '../list/list-pager.tsx';
import { None } from '../list/none.tsx';
import { cursorFromText } from '../list/url-state.ts';

import styles from './vendors.module.css';

const statusChoices = ['all', 'open', 'Draft', 'Ordered', 'Received', 'Closed'] as const;
const statusWords: Record<(typeof statusChoices)[number], string> = {
  all: 'All orders',
  open: 'Expected or to check',
  Draft: 'Drafts',
  Ordered: 'Ordered',
  Received: 'Received',
  Closed: 'Closed',
};

/** The part of an address that says which purchase orders are shown. */
export const purchaseFilters = {
  search: z.string().catch('').default(''),
  status: z.enum(statusChoices).catch('all').default('all'),
  after: z.string().catch('').default(''),
};
type PurchaseFilters = { search: string; status: (typeof statusChoices)[number]; after: string };

const tones: Record<PurchaseStatus, Tone> = { Draft: 'calm', Ordered: 'busy', Received: 'warn', Closed: 'good' };

export function PurchaseBadge({ status, is_short, has_come }: Pick<PurchaseRow, 'status' | 'is_short' | 'has_come'>) {
  return <Badge tone={tones[status]}>{statusLabel(status, { isShort: is_short, hasCome: has_come })}</Badge>;
}

function columnsFor(withVendor: boolean, today: string): readonly Column<PurchaseRow>[] {
  return [
    {
      key: 'number',
      title: 'Order',
      cell: ({ id, things }) => (
        <span>
          <Link to={href('/admin/purchases/:id', { id: String(id) })}>No. {id}</Link>
          <span className={styles.small}>{things ?? 'no items yet'}</span>
        </span>
      ),
    },
    ...(withVendor
      ? [
          {
            key: 'vendor',
            title: 'Vendor',
            cell: ({ vendor, vendor_id }: PurchaseRow) => (
              <Link to={href('/admin/vendors/:id', { id: String(vendor_id) })}>{vendor}</Link>
            ),
          },
        ]
      : []),
    {
      key: 'day',
      title: 'Ordered',
      isOneLine: true,
      cell: ({ ordered_at, created_at, status }) => {
        const instant = instantFrom(ordered_at ?? created_at);
        return status === 'Draft' ? 'not sent' : instant ? formatDay(instant) : <None />;
      },
    },
    {
      key: 'expected',
      title: 'Expected',
      isOneLine: true,
      cell: ({ expected_on, status }) => {
        if (!expected_on || status === 'Closed') return <None />;
        const isLate = status === 'Ordered' && expected_on < today;
        return (
          <span className={isLate ? styles.overdue : undefined}>
            {formatDate(expected_on)}
            {isLate && ' (late)'}
          </span>
        );
      },
    },
    { key: 'status', title: 'Status', cell: PurchaseBadge },
    { key: 'total', title: 'Total with GST', align: 'end', cell: ({ total_paise }) => formatPaise(total_paise) },
  ];
}

export type PurchaseListProps = {
  vendorId?: number;
  state: PurchaseFilters;
  set(changes: Partial<PurchaseFilters>): void;
  hrefFor(changes: Partial<PurchaseFilters>): string;
};

export function PurchaseList({ vendorId, state, set, hrefFor }: PurchaseListProps) {
  const { search, status, after } = state;
  const filter = { search, ...(status === 'all' ? {} : { status }), ...(vendorId ? { vendor_id: vendorId } : {}) };
  const { data, isPending, isLoadingError, refetch, isPlaceholderData } = useShopQuery(listPurchases, {
    filter,
    after: cursorFromText(after),
  });
  const isFiltered = search !== '' || status !== 'all';
  return (
    <div className={styles.part}>
      <Filters>
        <SearchField
          label="Search purchase orders"
          placeholder={vendorId ? 'Number or item' : 'Number, vendor or item'}
          value={search}
          onSearch={(text) => set({ search: text })}
        />
        <Choice
          label="Status"
          value={status}
          options={statusChoices.map((choice) => [choice, statusWords[choice]] as const)}
          onChange={(chosen) => set({ status: chosen })}
        />
      </Filters>
      {isPending && <LoadingTable columns={columnsFor(vendorId === undefined, '')} />}
      {isLoadingError && <FailedState retry={refetch} />}
      {data !== undefined && (
        <div>
          <DataTable
            caption="Purchase orders"
            columns={columnsFor(vendorId === undefined, calendarDay(new Date()))}
            rows={data.rows}
            rowKey={({ id }) => String(id)}
            isStale={isPlaceholderData}
            empty={
              isFiltered ? (
                <EmptyState title="No matching purchase orders." />
              ) : (
                <EmptyState
                  title="No purchase orders yet."
                  action={
                    <ButtonLink
                      size="small"
                      to={
                        vendorId ? `${href('/admin/purchases/new')}?vendor=${vendorId}` : href('/admin/purchases/new')
                      }
                    >
                      Create purchase order
                    </ButtonLink>
                  }
                />
              )
            }
          />
          <ListPager page={data} after={after} hrefFor={hrefFor} />
        </div>
      )}
    </div>
  );
}
