import { expect, test } from 'vitest';
import { hrefOf, recentFirst, recentFrom, withRecent } from './recent.ts';

const order = { kind: 'order', id: '3f2a9c1b-6d5e-4f70-8a91-b2c3d4e5f607' } as const;
const product = { kind: 'product', id: '12' } as const;

test.each([
  [{ opens: 'order', id: order.id }, order],
  [{ opens: 'order', id: order.id.toUpperCase() }, order],
  [{ opens: 'product', id: '12' }, product],
  [{ opens: 'product', id: 'new' }, null],
  [{ opens: 'order', id: '../products' }, null],
  [{ id: '12' }, null],
  [{}, null],
] as const)('the screen of %o is offered again as %o', (screen, opened) => {
  expect(recentFrom(screen)).toEqual(opened);
});

test('what was opened is found at its own address', () => {
  expect(hrefOf(order)).toBe(`/admin/orders/${order.id}`);
  expect(hrefOf({ kind: 'vendor', id: '7' })).toBe('/admin/vendors/7');
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
