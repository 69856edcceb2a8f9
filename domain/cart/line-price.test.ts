import { expect, test } from 'vitest';
import { paise, paiseFromRupees } from '../money.ts';
import { linePaise, subtotalPaise } from './line-price.ts';

test('price = unit price per 500 g × size/500 × quantity', () => {
  const unit = paiseFromRupees('87.50');
  expect(linePaise(unit, { size: 500, quantity: 1 })).toBe(8750);
  expect(linePaise(unit, { size: 1000, quantity: 1 })).toBe(17500);
  expect(linePaise(unit, { size: 1000, quantity: 25 })).toBe(437500);
  expect(linePaise(paise(1), { size: 500, quantity: 3 })).toBe(3);
});

test('the subtotal adds every line, and is unknown while a price is', () => {
  const prices = new Map([
    [9, paise(32000)],
    [25, paise(5000)],
  ]);
  const lines = [
    { productId: 9, size: 500, quantity: 2 },
    { productId: 9, size: 1000, quantity: 1 },
    { productId: 25, size: 500, quantity: 3 },
  ] as const;
  expect(subtotalPaise(lines, (id) => prices.get(id))).toBe(143000);
  expect(subtotalPaise([...lines, { productId: 7, size: 500, quantity: 1 }], (id) => prices.get(id))).toBeNull();
  expect(subtotalPaise([], () => undefined)).toBe(0);
});
