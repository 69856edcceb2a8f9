import { type KeyboardEvent, type ReactNode, useMemo, useRef } from 'react';
import { href, Link } from 'react-router';
import { statusWords } from '#app/features/console/order-status/order-words.ts';
import { Badge } from '#app/ui/badge.tsx';
import { Button } from '#app/ui/button.tsx';
import { type Column, DataTable } from '#app/ui/data-table.tsx';
import { BlankTable, LoadingShape } from '#app/ui/loading-shapes.tsx';
import type { OrderRow } from '#contracts/console/orders.ts';
import { formatPaise } from '#domain/money.ts';
import { formatAge, waitLevel } from '#domain/orders/age.ts';
import { quickMoves } from '#domain/orders/quick-moves.ts';
import { refundDeadline } from '#domain/orders/refund-deadline.ts';
import { isBeforePacking, isFinished, type OrderStatus } from '#domain/orders/status.ts';
import {
  calendarDay,
  formatCalendarDay,
  formatDay,
  formatMoment,
  formatTime,
  formatWeekday,
  instantFrom,
} from '#domain/time.ts';
import { PaymentChip } from '../../order-status/payment-chip.tsx';
import { StatusChip } from '../../order-status/status-chip.tsx';

import styles from './orders-table.module.css';

export type OrdersTableProps = {
  rows: readonly OrderRow[];
  now: Date;
  selection: { selected: ReadonlySet<string>; onChange(selected: Set<string>): void };
  sort: { by: string; descending: boolean; hrefFor(by: string): string };
  busy: ReadonlySet<string>;
  current: string | null;
  isStale: boolean;
  empty: ReactNode;
  onMove(order: OrderRow, to: OrderStatus): void;
  onKeyDown(event: KeyboardEvent): void;
  onFocusRow(id: string): void;
};

export const linkId = (orderId: string) => `order-${orderId}`;

export function OrdersTable(props: OrdersTableProps) {
  const { rows, now, busy, onMove } = props;
  const latest = useRef(onMove);
  latest.current = onMove;
  const columns = useMemo(() => columnsAt(now, busy, (order, to) => latest.current(order, to)), [now, busy]);
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: the links inside are what is focused; arrows go from one to the next
    <div
      className={styles.orders}
      onKeyDown={props.onKeyDown}
      onFocus={(event) => {
        const { id } = event.target;
        if (id.startsWith('order-')) props.onFocusRow(id.slice('order-'.length));
      }}
    >
      <DataTable
        caption="Orders"
        columns={columns}
        rows={rows}
        rowKey={({ id }) => id}
        rowLabel={({ number }) => `order ${number}`}
        selection={props.selection}
        sort={props.sort}
        current={props.current}
        isStale={props.isStale}
        empty={props.empty}
      />
    </div>
  );
}

/** Blank rows in the shape of the list, at every width. */
export function LoadingOrders() {
  return (
    <LoadingShape className={styles.orders}>
      <BlankTable columns={columnsAt(new Date(), new Set(), () => {})} rows={10} canSelect />
    </LoadingShape>
  );
}

function columnsAt(now: Date, busy: ReadonlySet<string>, onMove: OrdersTableProps['onMove']): Column<OrderRow>[] {
  return [
    {
      key: 'number',
      title: 'Order',
      sort: 'number',
      cell: ({ id, number, source, is_gift, group }) => (
        <>
          <Link id={linkId(id)} to={href('/admin/orders/:id', { id })} className={styles.number}>
            {number}
          </Link>
          {source === 'manual' && <small>by phone</small>}{' '}
          {group ? (
            <Link to={href('/admin/orders/group/:id', { id: group.id })} className={styles.group}>
              Group, {group.place} of {group.recipients}
            </Link>
          ) : (
            is_gift && <Badge>Gift</Badge>
          )}
        </>
      ),
    },
    { key: 'placed', title: 'Placed', sort: 'placed', cell: ({ placed_at }) => <Placed text={placed_at} now={now} /> },
    {
      key: 'customer',
      title: 'Customer',
      cell: ({ name, phone }) => (
        <>
          <span className={styles.name}>{name}</span>
          {phone && <a href={`tel:${phone.replace(/[^+\d]/g, '')}`}>{phone}</a>}
        </>
      ),
    },
    {
      key: 'pincode',
      title: 'Pincode',
      cell: ({ pincode, city, fulfilment }) =>
        fulfilment === 'pickup' ? (
          'Pick-up'
        ) : (
          <>
            {pincode} <small>{city}</small>
          </>
        ),
    },
    { key: 'items', title: 'Items', cell: ({ items }) => <span className={styles.items}>{keptTogether(items)}</span> },
    {
      key: 'total',
      title: 'Total',
      align: 'end',
      sort: 'total',
      cell: ({ total_paise }) => formatPaise(total_paise),
    },
    {
      key: 'payment',
      title: 'Payment',
      cell: ({ status, payment_status, refund_due_on }) => (
        <>
          <PaymentChip status={status} payment={payment_status} />
          {refund_due_on && <small>{refundDeadline(refund_due_on, calendarDay(now)).words}</small>}
        </>
      ),
    },
    {
      key: 'status',
      title: 'Status',
      cell: (order) => (
        <>
          <StatusChip status={order.status} />
          <PackingDay order={order} />
        </>
      ),
    },
    { key: 'age', title: 'Waiting', sort: 'age', align: 'end', cell: (order) => <Age order={order} now={now} /> },
    {
      key: 'next',
      title: 'Next step',
      cell: (order) => <NextMoves order={order} isBusy={busy.has(order.id)} onMove={onMove} />,
    },
  ];
}

const weekMs = 7 * 24 * 60 * 60 * 1000;

/** Lately a weekday says more than a year. */
function Placed({ text, now }: { text: string; now: Date }) {
  const instant = instantFrom(text);
  if (!instant) return null;
  const isRecent = now.getTime() - instant.getTime() < weekMs;
  return (
    <time className={styles.placed} dateTime={instant.toISOString()}>
      <span>{isRecent ? formatWeekday(instant) : formatDay(instant)}</span> <small>{formatTime(instant)}</small>
    </time>
  );
}

/** Lines break between sweets, not between an amount and its unit. */
const keptTogether = (items: string | null) =>
  items?.replaceAll(' × ', '\u00a0×\u00a0').replace(/(\d) (k?g)\b/g, '$1\u00a0$2');

/** When it is packed, and for which day, where the customer chose one. */
function PackingDay({ order: { status, is_due, pack_on, deliver_on, missed_day } }: { order: OrderRow }) {
  if (isFinished(status)) return null;
  return (
    <>
      {is_due ? (
        <small>pack today</small>
      ) : (
        pack_on && isBeforePacking(status) && <small>pack {formatCalendarDay(pack_on)}</small>
      )}
      {deliver_on && <small>for {formatCalendarDay(deliver_on)}</small>}
      {missed_day && <small className={styles.missed}>chosen day missed</small>}
    </>
  );
}

/** How long an order has been where it is; louder the longer it waits. */
function Age({ order, now }: { order: OrderRow; now: Date }) {
  const since = instantFrom(order.status_since);
  const waiting =
    since && waitLevel({ status: order.status, since, deliveryBy: order.delivery_by, packOn: order.pack_on }, now);
  if (!since || !waiting) return <span className={styles.over}>–</span>;
  const age = formatAge(since, now);
  return (
    <time
      className={styles.age}
      data-waiting={waiting}
      dateTime={since.toISOString()}
      title={`${statusWords[order.status].title} since ${formatMoment(since)}`}
    >
      {age === 'now' ? (
        'just now'
      ) : (
        <>
          <span className={styles.counted}>waiting </span>
          {age}
        </>
      )}
      {waiting !== 'fine' && <span className="visually-hidden">, too long</span>}
    </time>
  );
}

type NextMovesProps = { order: OrderRow; isBusy: boolean; onMove: OrdersTableProps['onMove'] };

function NextMoves({ order, isBusy, onMove }: NextMovesProps) {
  return (
    <span className={styles.moves}>
      {quickMoves(order).map((to) => (
        <Button
          key={to}
          size="small"
          disabled={isBusy}
          aria-label={`${statusWords[to].shortMove}: order ${order.number}`}
          onClick={() => onMove(order, to)}
        >
          {statusWords[to].shortMove}
        </Button>
      ))}
    </span>
  );
}
