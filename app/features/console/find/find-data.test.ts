import { expect, test } from 'vitest';
import type { Found } from '#contracts/console/find.ts';
import { groupsFor } from './find-data.ts';

const order = (id: string, number: number) =>
  ({
    kind: 'order',
    id,
    title: `Order ${number}`,
    detail: 'Meena Shah · Pune',
    status: 'Packed',
    paise: 142_600,
    at: '2026-11-16T04:01:39Z',
  }) as const;
const none = { count: 0, count_is_capped: false, rows: [] };
const found: Found = {
  recent: [],
  groups: [
    { kind: 'order', count: 1000, count_is_capped: true, rows: [order('a', 1042), order('b', 1041)] },
    { kind: 'customer', ...none },
    {
      kind: 'product',
      count: 1,
      count_is_capped: false,
      rows: [{ kind: 'product', id: '9', title: 'Meena Peda', detail: 'Laddu' }],
    },
    { kind: 'vendor', ...none },
  ],
};

test('what was found is told with what tells it apart, and the way to all of it', () => {
  const groups = groupsFor('meena s', found, []);
  expect(groups.map(({ title }) => title)).toEqual(['Orders', 'Products']);
  expect(groups[0]?.choices).toEqual([
    {
      key: 'order-a',
      to: '/admin/orders/a',
      title: 'Order 1042',
      detail: 'Meena Shah · Pune · ₹1,426 · 16 Nov 2026',
      status: 'Packed',
    },
    expect.objectContaining({ key: 'order-b' }),
    { key: 'all-order', to: '/admin/orders?q=meena%20s', title: 'See all 1,000+ orders', detail: '' },
  ]);
  expect(groups[1]?.choices.map(({ key }) => key)).toEqual(['product-9']);
});

test('what was opened lately comes first in its group', () => {
  const [orders] = groupsFor('meena', found, [{ kind: 'order', id: 'b' }]);
  expect(orders?.choices.map(({ key }) => key)).toEqual(['order-b', 'order-a', 'all-order']);
});

test('before anything is typed there is what was opened last, and where one goes most', () => {
  const groups = groupsFor(' ', { recent: [order('a', 1042)], groups: [] }, []);
  expect(groups.map(({ title }) => title)).toEqual(['Recent', 'Go to']);
  expect(groupsFor('', null, []).map(({ title }) => title)).toEqual(['Go to']);
});

test('screens are there before the shop has answered', () => {
  expect(groupsFor('expen', null, [])[0]).toMatchObject({
    title: 'Go to',
    choices: expect.arrayContaining([expect.objectContaining({ title: 'Expenses' })]),
  });
});

test('a screen that is only related comes after what was found', () => {
  expect(groupsFor('print', found, []).map(({ title }) => title)).toEqual(['Orders', 'Products', 'Related screens']);
});
