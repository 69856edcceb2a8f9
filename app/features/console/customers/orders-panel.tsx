import { Link } from 'react-router';
import { type Column, DataTable, Pager } from '#app/ui/data-table.tsx';
import { LoadingTable } from '#app/ui/loading-shapes.tsx';
import { Empty, Panel } from '#app/ui/panel.tsx';
import { type CustomerOrder, listCustomerOrders } from '#contracts/console/customers.ts';
import { z } from '#contracts/z.ts';
import { useAnswer } from '../data/requests.ts';
import { NotLoaded } from '../list/not-loaded.tsx';
import { useUrlState } from '../list/url-state.ts';
import { StatusChip } from '../order-status/status-chip.tsx';

import styles from './orders-panel.module.css';
import { daySaid, paymentSaid, rupees } from './words.ts';

const State = z.object({ after: z.string().max(400).catch('') });

const columns: readonly Column<CustomerOrder>[] = [
  { key: 'number', title: 'Order', cell: ({ id, number }) => <Link to={`/admin/orders/${id}`}>{number}</Link> },
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
  { key: 'total', title: 'Total', align: 'end', cell: ({ total_paise }) => rupees(total_paise) },
];

export function OrdersPanel({ customerId }: { customerId: string }) {
  const [{ after }, , hrefFor] = useUrlState(State);
  const question = { customer_id: customerId, after: after || null };
  const { loaded, reload, isStale } = useAnswer(listCustomerOrders, question);
  const first = after === '' ? null : hrefFor({});
  return (
    <Panel title="Orders">
      {loaded.state === 'loading' && <LoadingTable columns={columns} rows={5} />}
      {loaded.state === 'failed' && <NotLoaded first={first} retry={reload} />}
      {loaded.state === 'ready' && (
        <div className={styles.orders}>
          <DataTable
            caption="Orders"
            columns={columns}
            rows={loaded.value.rows}
            rowKey={({ id }) => id}
            isStale={isStale}
            empty={<Empty title="No orders yet." />}
          />
          <Pager
            next={loaded.value.next === null ? null : hrefFor({ after: loaded.value.next })}
            first={first}
            count={loaded.value.count}
            countIsCapped={loaded.value.count_is_capped}
            shown={loaded.value.rows.length}
          />
        </div>
      )}
    </Panel>
  );
}
