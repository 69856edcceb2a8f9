import { expect, test } from 'vitest';
import type { Basket } from './cart.ts';
import { moveAllToCheckout, moveBackToCart, moveToCheckout, removeFromCheckout } from './move-lines.ts';

const basket: Basket = { cart: { 9: { 500: 2, 1000: 1 } }, checkout: { 10: { 500: 4 } } };

test('moving to the checkout takes the size out of the cart', () => {
  expect(moveToCheckout(basket, 9, 1000)).toEqual({
    ok: true,
    basket: { cart: { 9: { 500: 2 } }, checkout: { 9: { 1000: 1 }, 10: { 500: 4 } } },
    stayed: 0,
  });
});

test('all allowed lines move together, in all sizes', () => {
  const full: Basket = {
    cart: { 9: { 500: 2, 1000: 1 }, 10: { 500: 24 }, 11: { 500: 3 } },
    checkout: { 10: { 500: 4 } },
  };
  expect(moveAllToCheckout(full, ({ productId }) => productId !== 11)).toEqual({
    basket: {
      cart: { 10: { 500: 3 }, 11: { 500: 3 } },
      checkout: { 9: { 500: 2, 1000: 1 }, 10: { 500: 25 } },
    },
    moved: 3,
    stayed: 3,
  });
  const isFull: Basket = { cart: { 9: { 500: 1 } }, checkout: { 9: { 500: 25 } } };
  expect(moveAllToCheckout(isFull, () => true)).toEqual({ basket: isFull, moved: 0, stayed: 1 });
});

test('moving needs a size, and something to move', () => {
  expect(moveToCheckout(basket, 9, null)).toEqual({ ok: false, reason: 'no-size' });
  expect(moveToCheckout(basket, 10, 500)).toEqual({ ok: false, reason: 'not-in-cart' });
  expect(moveBackToCart(basket, 9, 500)).toEqual({ ok: false, reason: 'not-in-checkout' });
  expect(removeFromCheckout(basket, 10, 1000)).toEqual({ ok: false, reason: 'not-in-checkout' });
});

test('moving back and deleting remove the line from the checkout', () => {
  expect(moveBackToCart(basket, 10, 500)).toEqual({
    ok: true,
    basket: { cart: { 9: { 500: 2, 1000: 1 }, 10: { 500: 4 } }, checkout: {} },
    stayed: 0,
  });
  expect(removeFromCheckout(basket, 10, 500)).toEqual({
    ok: true,
    basket: { cart: basket.cart, checkout: {} },
    stayed: 0,
  });
});

test('what does not fit the other list stays where it was', () => {
  const full: Basket = { cart: { 9: { 500: 10 } }, checkout: { 9: { 500: 20 } } };
  expect(moveToCheckout(full, 9, 500)).toEqual({
    ok: true,
    basket: { cart: { 9: { 500: 5 } }, checkout: { 9: { 500: 25 } } },
    stayed: 5,
  });
  expect(moveBackToCart({ cart: { 9: { 500: 25 } }, checkout: { 9: { 500: 1 } } }, 9, 500)).toEqual({
    ok: false,
    reason: 'full',
  });
});
