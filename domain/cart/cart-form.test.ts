import { expect, test } from 'vitest';
import { cartLineFrom } from './cart-form.ts';

const line = (fields: Record<string, string>) => cartLineFrom(new URLSearchParams(fields));

test('a product in the size and quantity that were chosen', () => {
  expect(line({ product: '9', size: '1000', quantity: '3' })).toEqual({ productId: 9, size: 1000, quantity: 3 });
});

test('the small button of a card puts one into the cart, in the usual size', () => {
  expect(line({ product: '9' })).toEqual({ productId: 9, size: 500, quantity: 1 });
});

test.each([
  {},
  { product: '0' },
  { product: '9 or 1=1' },
  { product: '9', quantity: '0' },
  { product: '9', quantity: '26' },
  { product: '9', quantity: '1.5' },
])('%o puts nothing into the cart', (fields) => {
  expect(line(fields as Record<string, string>)).toBeNull();
});
