import { href, Link } from 'react-router';
import { Badge } from '#app/ui/badge.tsx';
import { ButtonLink } from '#app/ui/button.tsx';
import { type Column, DataTable } from '#app/ui/data-table.tsx';
import { EmptyState, FailedState } from '#app/ui/empty-state.tsx';
import { LoadingTable } from '#app/ui/loading-shapes.tsx';
import { SearchField } from '#app/ui/search-field.tsx';
import { listVendors, type VendorRow } from '#contracts/console/vendors.ts';
import { formatDay, instantFrom } from '#domain/time.ts';
import { useShopQuery } from '../data/shop-query.ts';
import { Filters, Tick } from '../list/list-filters.tsx';
import { None } from '../list/none.tsx';
import { Owed, OwedSums } from './amount.tsx';

import styles from './vendors.module.css';

const columns: readonly Column<VendorRow>[] = [
  {
    key: 'name',
    title: 'Vendor',
    cell: ({ id, name, archived_at, contact_name }) => (
      <span>
        <Link to={href('/admin/vendors/:id', { id: String(id) })}>{name}</Link> {archived_at && <Badge>Archived</Badge>}
        {contact_name && <span className={styles.small}>{contact_name}</span>}
      </span>
    ),
  },
  {
    key: 'phone',
    title: 'Phone',
    isOneLine: true,
    cell: ({ phone }) => (phone ? <a href={`tel:${phone.replaceAll(/[ -]/g, '')}`}>{phone}</a> : <None />),
  },
  {
    key: 'terms',
    title: 'Payment terms',
    hideOnPhone: true,
    cell: ({ payment_terms_days: days }) => (days === 0 ? 'Immediate' : days === 1 ? '1 day' : `${days} days`),
  },
  {
    key: 'open',
    title: 'Open orders',
    align: 'end',
    cell: ({ open_orders }) => open_orders || <None />,
  },
  {
    key: 'last',
    title: 'Last order',
    hideOnPhone: true,
    isOneLine: true,
    cell: ({ last_ordered_at }) => {
      const instant = last_ordered_at ? instantFrom(last_ordered_at) : null;
      return instant ? formatDay(instant) : <None />;
    },
  },
  {
    key: 'owed',
    title: 'We owe',
    align: 'end',
    cell: ({ owed_paise, overdue_paise }) => <Owed paise={owed_paise} overduePaise={overdue_paise} />,
  },
];

export type VendorListProps = {
  search: string;
  withArchived: boolean;
  onSearch(text: string): void;
  onArchived(wanted: boolean): void;
};

export function VendorList({ search, withArchived, onSearch, onArchived }: VendorListProps) {
  const { data, isPending, isLoadingError, refetch, isPlaceholderData } = useShopQuery(listVendors, {
    search,
    with_archived: withArchived,
  });
  return (
    <div className={styles.part}>
      {data !== undefined && (
        <OwedSums owed={data.owed_paise} overdue={data.overdue_paise} dueSoon={data.due_soon_paise} />
      )}
      <Filters>
        <SearchField label="Search vendors" placeholder="Name, contact or phone" value={search} onSearch={onSearch} />
        <Tick label="Include archived" value={withArchived} onChange={onArchived} />
      </Filters>
      {isPending && <LoadingTable columns={columns} />}
      {isLoadingError && <FailedState retry={refetch} />}
      {data !== undefined && (
        <DataTable
          caption="Vendors"
          columns={columns}
          rows={data.rows}
          rowKey={({ id }) => String(id)}
          isStale={isPlaceholderData}
          empty={
            search ? (
              <EmptyState title="No matching vendors." text="Search by name, contact or phone." />
            ) : (
              <EmptyState
                title="No vendors yet."
                text="Add the suppliers you buy flour, ghee, boxes or finished sweets from."
                action={
                  <ButtonLink size="small" to={href('/admin/vendors/new')}>
                    Add vendor
                  </ButtonLink>
                }
              />
            )
          }
        />
      )}
    </div>
  );
}
