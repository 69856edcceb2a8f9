import { expect, test } from 'vitest';
import { orderOf, refundOf } from './order-fixtures.ts';
import {
  type EventRow,
  entriesOf,
  type History,
  newsBetween,
  type OrderRow,
  type PastOrder,
  pastOrdersFrom,
  statusClass,
  wholeOrders,
} from './order-history.ts';

const row = (some: Partial<OrderRow>): OrderRow => ({
  order_id: '1a2b3c4d-0000-4000-8000-000000000000',
  number: 2501,
  total_amount: '1299.50',
  sub_total: 1200,
  tax: '59.50',
  shipping_charge: 40,
  shipping_tax: 1.9,
  status: 'Pending',
  payment_status: 'paid',
  fulfilment: 'delivery',
  delivery_by: '2026-11-18',
  deliver_on: null,
  missed_day: null,
  courier: null,
  tracking_number: null,
  tracking_url: null,
  cancel_reason: null,
  created_at: '2026-11-16 04:01:39.93+00',
  product_id: 9,
  box_id: null,
  contents: null,
  offers: [],
  product_name: 'Besan Laddu',
  product_image: '/images/products/besan-laddu-960.webp',
  quantity: 2,
  size: 500,
  has_size: true,
  unit_price: '320.25',
  group_id: null,
  group_place: 0,
  ...some,
});
const event = (some: Partial<EventRow>): EventRow => ({
  id: 1,
  order_id: '1a2b3c4d-0000-4000-8000-000000000000',
  to_status: 'Pending',
  actor_role: 'system',
  public_note: '',
  created_at: '2026-11-16 04:01:39.93+00',
  undoes: null,
  ...some,
});
const sold = new Set([9, 25]);

test('lines are grouped by order, newest first, with the first eight characters of the id', () => {
  const orders = pastOrdersFrom(
    [
      row({}),
      row({ order_id: 'ffffffff-1', created_at: '2026-11-16T05:00:00+00:00' }),
      row({ size: 1000, quantity: 1 }),
    ],
    [],
    sold,
  );
  expect(orders.map(({ shortId, items }) => [shortId, items.length])).toEqual([
    ['ffffffff', 1],
    ['1a2b3c4d', 2],
  ]);
});

test('amounts are exact whether they come as text or as numbers', () => {
  const rows = [row({}), row({ size: 1000, quantity: 3, unit_price: 99.9, total_amount: 5 })];
  const [order] = pastOrdersFrom(rows, [], sold);
  expect(order).toMatchObject({
    subtotalPaise: 120_000,
    taxPaise: 5_950,
    shippingPaise: 4_000,
    shippingTaxPaise: 190,
    totalPaise: 129_950,
  });
  expect(order?.items.map(({ linePaise }) => linePaise)).toEqual([64_050, 59_940]);
});

test('a size is shown for what was sold by weight, not by the piece', () => {
  const rows = [row({}), row({ product_id: 25, has_size: false }), row({ size: 1000 })];
  const [order] = pastOrdersFrom(rows, [], sold);
  expect(order?.items.map(({ sizeGrams }) => sizeGrams)).toEqual([500, null, 1000]);
});

test('a product that is gone keeps its name, size and price and loses its link', () => {
  const rows = [row({ product_id: 77, product_name: 'Old Sweet' }), row({ product_id: null })];
  const [order] = pastOrdersFrom(rows, [], sold);
  expect(order?.items.map(({ productId, name, sizeGrams }) => [productId, name, sizeGrams])).toEqual([
    [null, 'Old Sweet', 500],
    [null, 'Besan Laddu', 500],
  ]);
});

test('each order has its own events, and the day it should arrive is that day in India', () => {
  const [order] = pastOrdersFrom(
    [row({})],
    [event({}), event({ order_id: 'ffffffff-1' }), event({ to_status: 'Confirmed', public_note: ' Soon. ' })],
    sold,
  );
  expect(order?.events.map(({ status, note }) => [status, note])).toEqual([
    ['Pending', ''],
    ['Confirmed', 'Soon.'],
  ]);
  expect(order?.deliveryBy?.toISOString()).toBe('2026-11-17T18:30:00.000Z');
});

test('a move that was undone is no part of the history', () => {
  const events = [
    event({}),
    event({ id: 2, to_status: 'Confirmed', public_note: 'By mistake.' }),
    event({ id: 3, undoes: 2 }),
  ];
  const [order] = pastOrdersFrom([row({})], events, sold);
  expect(order?.events.map(({ status, note }) => [status, note])).toEqual([['Pending', '']]);
});

test('a time that cannot be read is no time, and the order is still there', () => {
  const orders = pastOrdersFrom([row({ created_at: 'soon', delivery_by: null })], [], sold);
  expect(orders).toMatchObject([{ placedAt: null, deliveryBy: null, shortId: '1a2b3c4d' }]);
});

test("the badge's class is 'status-' and the lowercased status", () => {
  expect(statusClass('Pending')).toBe('status-pending');
  expect(statusClass('canceled')).toBe('status-canceled');
});

test('a page holds whole orders only, and knows whether there are older ones', () => {
  const rows = ['a', 'a', 'b', 'c', 'c'].map((order_id) => row({ order_id }));
  const idsOf = (limits: { mostRows: number; mostOrders: number }) => {
    const page = wholeOrders(rows, limits);
    return [page.rows.map(({ order_id }) => order_id).join(''), page.hasOlder];
  };
  expect(idsOf({ mostRows: 6, mostOrders: 3 })).toEqual(['aabcc', false]);
  expect(idsOf({ mostRows: 5, mostOrders: 3 })).toEqual(['aab', true]);
  expect(idsOf({ mostRows: 6, mostOrders: 1 })).toEqual(['aa', true]);
  expect(wholeOrders([], { mostRows: 5, mostOrders: 3 })).toEqual({ rows: [], hasOlder: false });
});

const history = (orders: PastOrder[], some: Partial<History> = {}): History => ({
  orders,
  refunds: [],
  hasOlder: false,
  count: orders.length,
  linkedEntry: null,
  ...some,
});
const namesOf = (some: History) =>
  entriesOf(some).map((entry) =>
    entry.kind === 'order' ? `${entry.order.shortId}:${entry.refunds.length}` : entry.refund.id,
  );

test('payments without an order stand among the orders by date; refunds of an order stand with it', () => {
  const orders = [
    orderOf({ shortId: 'late', placedAt: new Date('2026-11-16') }),
    orderOf({ id: 'x', shortId: 'early', placedAt: new Date('2026-11-12') }),
  ];
  const refunds = [
    refundOf({ id: 'between', orderId: null, askedAt: new Date('2026-11-14') }),
    refundOf({ id: 'of early', orderId: 'x', askedAt: new Date('2026-11-15') }),
    refundOf({ id: 'before', orderId: null, askedAt: new Date('2026-11-10') }),
  ];
  expect(namesOf(history(orders, { refunds }))).toEqual(['late:0', 'between', 'early:1', 'before']);
  // While older orders are not read, an old payment would stand above orders that are newer than it.
  expect(namesOf(history(orders, { refunds, hasOlder: true }))).toEqual(['late:0', 'between', 'early:1']);
});

test('what changed since the last look is said, and nothing else', () => {
  const placedAt = new Date('2026-11-16');
  const old = orderOf({ id: 'o', shortId: '1a2b3c4d', status: 'Packed', placedAt });
  const older = orderOf({ id: 'p', placedAt: new Date('2026-01-01') });
  const newer = orderOf({ id: 'q', shortId: 'ffffffff', placedAt: new Date('2026-11-17') });
  const newsOf = (before: PastOrder[], after: PastOrder[]) => newsBetween(history(before), history(after));
  expect(newsOf([old], [{ ...old, status: 'Shipped' }])).toEqual(['Order 1a2b3c4d is now Shipped']);
  expect(newsOf([old], [newer, old])).toEqual(['Order ffffffff is now in your order history']);
  expect(newsOf([old], [{ ...old, paymentStatus: 'refunded' }])).toEqual(['Order 1a2b3c4d has been refunded']);
  expect(newsOf([old], [{ ...old }, older])).toEqual([]);
});
