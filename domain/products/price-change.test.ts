import { expect, test } from 'vitest';
import { paise } from '../money.ts';
import { changedPrice, type PriceChange, planPrices, priceProblem } from './price-change.ts';

test.each<[number, PriceChange, number]>([
  [32000, { by: 'percent', percent: 5, rounding: 'rupee' }, 33600],
  [33300, { by: 'percent', percent: 5, rounding: 'rupee' }, 35000], // 349.65
  [33000, { by: 'percent', percent: 5, rounding: 'rupee' }, 34700], // 346.50, halves up
  [33300, { by: 'percent', percent: 5, rounding: 'paisa' }, 34965],
  [33300, { by: 'percent', percent: 5, rounding: 'five' }, 35000],
  [33300, { by: 'percent', percent: 7, rounding: 'ten' }, 36000], // 356.31
  [32000, { by: 'percent', percent: -10, rounding: 'rupee' }, 28800],
  [79950, { by: 'percent', percent: 0, rounding: 'paisa' }, 79950],
  [101, { by: 'percent', percent: 2.5, rounding: 'paisa' }, 104], // 1.03525
  [32000, { by: 'amount', amountPaise: 1050 }, 33050],
  [32000, { by: 'amount', amountPaise: -50000 }, -18000],
])('%i paise changed by %j is %i', (price, change, expected) => {
  expect(changedPrice(paise(price), change)).toBe(expected);
});

test('says why a product cannot have a price', () => {
  expect(priceProblem(99, null)).toBe('Below ₹1');
  expect(priceProblem(-5, null)).toBe('Below ₹1');
  expect(priceProblem(10_000_001, null)).toBe('Above ₹1,00,000');
  expect(priceProblem(40000, 40000)).toBe('Not below its regular price of ₹400. End the offer first.');
  expect(priceProblem(39999, 40000)).toBeNull();
});

test('a bulk raise changes what can be raised and says why the others cannot', () => {
  const plain = { id: 1, price_paise: 30000, regular_price_paise: null };
  const nearlyRegular = { id: 2, price_paise: 38000, regular_price_paise: 39000 };
  const deepOffer = { id: 3, price_paise: 30000, regular_price_paise: 60000 };
  const plan = planPrices([plain, nearlyRegular, deepOffer], { by: 'percent', percent: 5, rounding: 'rupee' });
  expect(plan.changed.map(({ row, price }) => [row.id, price])).toEqual([
    [1, 31500],
    [3, 31500],
  ]);
  expect(plan.refused.map(({ row, problem }) => [row.id, problem])).toEqual([
    [2, 'Not below its regular price of ₹390. End the offer first.'],
  ]);
  expect(plan.all.map(({ row }) => row.id)).toEqual([1, 2, 3]);
});

test('what rounds back to the same price is neither changed nor refused', () => {
  const plan = planPrices([{ price_paise: 10000, regular_price_paise: null }], {
    by: 'percent',
    percent: 1,
    rounding: 'ten',
  });
  expect([plan.changed, plan.refused]).toEqual([[], []]);
});
