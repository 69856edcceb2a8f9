import { href, Link } from 'react-router';
import { type Column, DataTable } from '#app/ui/data-table.tsx';
import { EmptyState } from '#app/ui/empty-state.tsx';
import { LoadingTable } from '#app/ui/loading-shapes.tsx';
import { Panel } from '#app/ui/panel.tsx';
import { type CustomerOrder, listCustomerOrders } from '#contracts/console/customers.ts';
import { z } from '#contracts/z.ts';
import { formatPaise } from '#domain/money.ts';
import { useShopQuery } from '../data/shop-query.ts';
import { ListPager } from '../list/list-pager.tsx';
import { NotLoaded } from '../list/not-loaded.tsx';
import { useUrlState } from '../list/url-state.ts';
import { StatusChip } from '../order-status/status-chip.tsx';

import styles from './orders-panel.module.css';
import { daySaid, paymentSaid } from './words.ts';

const State = z.object({ after: z.string().max(400).catch('') });

const columns: readonly Column<CustomerOrder>[] = [
  {
    key: 'number',
    title: 'Order',
    cell: ({ id, number }) => <Link to={href('/admin/orders/:id', { id })}>{number}</Link>,
  },
  {
    key: 'placed',
    title: 'Placed',
    cell: ({ created_at }) => <span className={styles.day}>{daySaid(created_at)}</span>,
  },
  { key: 'items', title: 'Items', cell: ({ items }) => <span className={styles.items}>{items}</span> },
  {
    key: 'status',
    title: 'Status',
    cell: ({ status, payment_status }) => (
      <span className={styles.status}>
        <StatusChip status={status} />
        {paymentSaid(payment_status) && <small>{paymentSaid(payment_status)}</small>}
      </span>
    ),
  },
  { key: 'total', title: 'Total', align: 'end', cell: ({ total_paise }) => formatPaise(total_paise) },
];

export function OrdersPanel({ customerId }: { customerId: string }) {
  const [{ after }, , hrefFor] = useUrlState(State);
  const question = { customer_id: customerId, after: after || null };
  const { data, isPending, isLoadingError, refetch, isPlaceholderData } = useShopQuery(listCustomerOrders, question);
  const first = after === '' ? null : hrefFor({});
  return (
    <Panel title="Orders">
      {isPending && <LoadingTable columns={columns} rows={5} />}
      {isLoadingError && <NotLoaded first={first} retry={refetch} />}
      {data !== undefined && (
        <div className={styles.orders}>
          <DataTable
            caption="Orders"
            columns={columns}
            rows={data.rows}
            rowKey={({ id }) => id}
            isStale={isPlaceholderData}
            empty={<EmptyState title="No orders yet." />}
          />
          <ListPager page={data} after={after} hrefFor={hrefFor} />
        </div>
      )}
    </Panel>
  );
}
