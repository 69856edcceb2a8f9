import { expect, test } from 'vitest';
import type { Line } from '#contracts/console/purchases.ts';
import { adjustmentFrom, checkComing, comingTotal, expectedOf, isMore, newCost } from './receive-draft.ts';

const line = (changes: Partial<Line> = {}): Line => ({
  id: 1,
  item_name: 'Cow ghee',
  unit: 'kg',
  quantity: 10,
  received_quantity: 0,
  unit_cost_paise: 60_400,
  gst_percent: 5,
  last_price: null,
  product: null,
  ...changes,
});
const kulfi = line({
  id: 2,
  unit: 'piece',
  quantity: 24,
  received_quantity: 12,
  product: { id: 29, has_size: false, unit_cost_paise: 3400 },
  unit_cost_paise: 3450,
});

test('what is missing is filled in, and its price is the product’s new cost', () => {
  expect(
    expectedOf([line({ quantity: 10.3, received_quantity: 4.1 }), kulfi, line({ received_quantity: 10 })]),
  ).toEqual([
    { quantity: '6.2', setsCost: false },
    { quantity: '12', setsCost: true },
    { quantity: '', setsCost: false },
  ]);
  expect(newCost(kulfi)).toBe(3450);
  expect(newCost({ ...kulfi, unit_cost_paise: 3400 })).toBeNull();
  expect(newCost(line())).toBeNull();
});

test('more than was ordered is noticed, also by a gram', () => {
  expect(isMore(line(), { quantity: '10', setsCost: false })).toBe(false);
  expect(isMore(line(), { quantity: '10.001', setsCost: false })).toBe(true);
  expect(isMore(line({ quantity: 0.3, received_quantity: 0.1 }), { quantity: '0.2', setsCost: false })).toBe(false);
});

test.each([
  ['', 0],
  ['40', 4000],
  ['+40.50', 4050],
  ['−0.37', -37],
  ['-1,000', -100_000],
])('"%s" on the bill is %i paise', (text, amount) => {
  expect(adjustmentFrom(text)).toBe(amount);
});

test('words on the bill are no amount', () => {
  expect(adjustmentFrom('free')).toBeNull();
});

test('the bill is what came, with GST and the rest', () => {
  const coming = [
    { quantity: '2', setsCost: false },
    { quantity: '', setsCost: true },
  ];
  expect(comingTotal([line(), kulfi], coming, '-0.40')).toBe(126_840 - 40);
});

test('only what came is sent; wrong numbers are told at their line', () => {
  const coming = [
    { quantity: '0', setsCost: false },
    { quantity: '12', setsCost: true },
  ];
  expect(checkComing([line(), kulfi], coming)).toEqual({
    ok: true,
    value: [{ item_id: 2, quantity: '12', sets_cost: true }],
  });
  expect(checkComing([line()], [{ quantity: '', setsCost: false }])).toMatchObject({
    errors: { lines: expect.any(String) },
  });
  expect(
    checkComing(
      [line(), kulfi],
      [
        { quantity: 'two', setsCost: false },
        { quantity: '1.5', setsCost: false },
      ],
    ),
  ).toMatchObject({
    errors: { 'lines.0.quantity': expect.any(String), 'lines.1.quantity': 'Enter a whole number.' },
  });
});
