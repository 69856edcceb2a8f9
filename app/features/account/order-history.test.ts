import { expect, test } from 'vitest';
import { type OrderRow, pastOrdersFrom, statusClass } from './order-history.ts';

const row = (some: Partial<OrderRow>): OrderRow => ({
  order_id: '1a2b3c4d-0000-4000-8000-000000000000',
  total_amount: '1299.50',
  sub_total: 1200,
  tax: '59.50',
  shipping_charge: 40,
  status: 'Pending',
  created_at: '2026-11-16 04:01:39.93+00',
  product_id: 9,
  product_name: 'Besan Laddu',
  product_image: '/images/products/besan-laddu-960.webp',
  quantity: 2,
  size: 500,
  unit_price: '320.25',
  ...some,
});
const sold = new Map([
  [9, { hasSize: true }],
  [25, { hasSize: false }],
]);

test('lines are grouped by order, newest first, with the first eight characters of the id', () => {
  const orders = pastOrdersFrom(
    [
      row({}),
      row({ order_id: 'ffffffff-1', created_at: '2026-11-16T05:00:00+00:00' }),
      row({ size: 1000, quantity: 1 }),
    ],
    sold,
  );
  expect(orders.map(({ shortId, items }) => [shortId, items.length])).toEqual([
    ['ffffffff', 1],
    ['1a2b3c4d', 2],
  ]);
});

test('amounts are exact whether they come as text or as numbers', () => {
  const [order] = pastOrdersFrom([row({}), row({ size: 1000, quantity: 3, unit_price: 99.9, total_amount: 5 })], sold);
  expect(order).toMatchObject({ subtotalPaise: 120_000, taxPaise: 5_950, shippingPaise: 4_000, totalPaise: 129_950 });
  expect(order?.items.map(({ linePaise }) => linePaise)).toEqual([64_050, 59_940]);
});

test('a size is shown for sweets by weight, not for those by the piece', () => {
  const [order] = pastOrdersFrom([row({}), row({ product_id: 25 }), row({ size: 1000 })], sold);
  expect(order?.items.map(({ sizeGrams }) => sizeGrams)).toEqual([500, null, 1000]);
});

test('a product that is gone keeps its name and price and loses its link', () => {
  const [order] = pastOrdersFrom([row({ product_id: 77, product_name: 'Old Sweet' }), row({ product_id: null })], sold);
  expect(order?.items.map(({ productId, name }) => [productId, name])).toEqual([
    [null, 'Old Sweet'],
    [null, 'Besan Laddu'],
  ]);
});

test('a time that cannot be read is no time, and the order is still there', () => {
  expect(pastOrdersFrom([row({ created_at: 'soon' })], sold)).toMatchObject([{ placedAt: null, shortId: '1a2b3c4d' }]);
});

test("the badge's class is 'status-' and the lowercased status", () => {
  expect(statusClass('Pending')).toBe('status-pending');
  expect(statusClass('canceled')).toBe('status-canceled');
});
