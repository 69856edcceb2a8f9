import { expect, test } from 'vitest';
import {
  cartMapFrom,
  defaultSize,
  emptyBasket,
  linesOf,
  maxQuantity,
  sizes,
  totalQuantity,
  withQuantity,
} from './cart.ts';
import { entriesOf, withAdded, withoutUnavailable } from './cart-lists.ts';

test('sizes are 500 and 1000 grams, 500 unless said otherwise, and at most 25 of each', () => {
  expect(sizes).toEqual([500, 1000]);
  expect(defaultSize).toBe(500);
  expect(maxQuantity).toBe(25);
});

test('adding counts on, and stops at 25', () => {
  expect(withAdded({ 9: { 500: 2 } }, 9, 500, 3)).toEqual({ 9: { 500: 5 } });
  expect(withAdded({ 9: { 500: 20 } }, 9, 500, 10)).toEqual({ 9: { 500: 25 } });
  expect(withAdded({}, 9, 1000, 1)).toEqual({ 9: { 1000: 1 } });
});

test('a quantity of 0 removes the line, and the product with its last line', () => {
  expect(withQuantity({ 9: { 500: 2, 1000: 1 } }, 9, 500, 0)).toEqual({ 9: { 1000: 1 } });
  expect(withQuantity({ 9: { 1000: 1 } }, 9, 1000, 0)).toEqual({});
  expect(withQuantity({ 9: { 1000: 1 } }, 9, 1000, -3)).toEqual({});
});

test('changing a list does not mutate it', () => {
  const map = Object.freeze({ 9: Object.freeze({ 500: 2 }) });
  expect(withQuantity(map, 9, 500, 7)).toEqual({ 9: { 500: 7 } });
  expect(map).toEqual({ 9: { 500: 2 } });
});

test('the badge counts both lists and all sizes', () => {
  expect(totalQuantity({ cart: { 9: { 500: 2, 1000: 1 } }, checkout: { 9: { 500: 4 }, 10: { 500: 1 } } })).toBe(8);
  expect(totalQuantity(emptyBasket)).toBe(0);
});

test('a product in two sizes is one entry with two lines', () => {
  const map = { 9: { 1000: 1, 500: 2 }, 25: { 500: 3 } };
  expect(entriesOf(map)).toEqual([
    {
      productId: 9,
      lines: [
        { productId: 9, size: 500, quantity: 2 },
        { productId: 9, size: 1000, quantity: 1 },
      ],
    },
    { productId: 25, lines: [{ productId: 25, size: 500, quantity: 3 }] },
  ]);
  expect(linesOf(map)).toHaveLength(3);
});

test.each([
  null,
  7,
  'cart',
  [],
  [{ 500: 1 }],
  { a: { 500: 1 } },
  { 0: { 500: 1 } },
  { '-1': { 500: 1 } },
  { '01': {} },
])('a cookie with %j is an empty list', (value) => expect(cartMapFrom(value)).toEqual({}));

test('invalid products, sizes and quantities are dropped, the rest stays', () => {
  const value = JSON.parse(`{
    "9": {"500": 2, "750": 3, "1000": "x"}, "10": {"500": 99, "1000": 1.5}, "11": {"500": -1}, "12": 4,
    "13": null, "__proto__": {"500": 1}, "9999999999999999999": {"500": 1}, "14": {"500": "3"}, "15": {"500": 1e300}
  }`);
  expect(cartMapFrom(value)).toEqual({ 9: { 500: 2 }, 10: { 500: 25 }, 14: { 500: 3 }, 15: { 500: 25 } });
});

test('products and sizes that are no longer sold are dropped; otherwise the list is the same object', () => {
  const map = { 9: { 500: 2, 1000: 1 }, 10: { 500: 1 } };
  expect(withoutUnavailable(map, (productId) => productId === 9)).toEqual({ 9: { 500: 2, 1000: 1 } });
  expect(withoutUnavailable(map, (_, size) => size === 500)).toEqual({ 9: { 500: 2 }, 10: { 500: 1 } });
  expect(withoutUnavailable(map, () => true)).toBe(map);
});
