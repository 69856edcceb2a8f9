import { expect, test } from 'vitest';
import { totalGrams } from './line-weight.ts';

const products = new Map([
  [9, { hasSize: true, weightGrams: 500 }],
  [25, { hasSize: false, weightGrams: 350 }],
]);

test('the weight of a cart adds sizes and pieces, and is unknown while a product is', () => {
  const lines = [
    { productId: 9, size: 500, quantity: 2 },
    { productId: 9, size: 1000, quantity: 1 },
    { productId: 25, size: 500, quantity: 3 },
  ] as const;
  expect(totalGrams(lines, (id) => products.get(id))).toBe(3050);
  expect(totalGrams([...lines, { productId: 7, size: 500, quantity: 1 }], (id) => products.get(id))).toBeNull();
  expect(totalGrams([], () => undefined)).toBe(0);
});
