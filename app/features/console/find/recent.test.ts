import { expect, test } from 'vitest';
import { recentAt, recentFirst, withRecent } from './recent.ts';

const order = { kind: 'order', id: '3f2a9c1b-6d5e-4f70-8a91-b2c3d4e5f607' } as const;
const product = { kind: 'product', id: '12' } as const;

test.each([
  [`/admin/orders/${order.id}`, order],
  [`/admin/orders/${order.id.toUpperCase()}`, order],
  ['/admin/products/12', product],
  ['/admin/vendors/7', { kind: 'vendor', id: '7' }],
  ['/admin/orders', null],
  ['/admin/orders/new', null],
  ['/admin/orders/print', null],
  ['/admin/products/import', null],
  ['/admin/customers/reviews', null],
  ['/admin/inventory/12', null],
  ['/product/12', null],
])('%s opens %o', (pathname, opened) => {
  expect(recentAt(pathname)).toEqual(opened);
});

test('what is opened again comes to the front, and the oldest falls out', () => {
  expect(withRecent([order, product], product)).toEqual([product, order]);
  const many = Array.from({ length: 8 }, (_, n) => ({ kind: 'vendor' as const, id: String(n) }));
  expect(withRecent(many, product)).toEqual([product, ...many.slice(0, 7)]);
});

test('of what is found the lately opened come first, the others as they came', () => {
  const rows = ['1', '2', '3', '4'].map((id) => ({ kind: 'product' as const, id }));
  const opened = [
    { kind: 'product', id: '4' } as const,
    { kind: 'order', id: '1' } as const,
    { kind: 'product', id: '2' } as const,
  ];
  expect(recentFirst(rows, opened).map(({ id }) => id)).toEqual(['4', '2', '1', '3']);
});
