import { act, fireEvent, screen } from '@testing-library/react';
import { expect, test, vi } from 'vitest';
import type { Basket, CartMap } from '#domain/cart/cart.ts';
import { paise } from '#domain/money.ts';
import { showPart } from '../../../tests/support/component-page.tsx';
import { addToCart } from './actions.ts';
import { currentBasket, storeBasket } from './basket.ts';
import { CartEntry } from './cart-entry.tsx';
import { backToCart, deleteFromCheckout, toCheckout } from './cart-moves.ts';
import type { CartProduct } from './cart-products.ts';

const laddu: CartProduct = {
  id: 9,
  name: 'Besan Laddu',
  pricePaise: paise(32_000),
  image: '/images/besan-laddu-960.webp',
  category: 'Laddu',
  available: true,
  hasSize: true,
  gstPercent: 5,
  weightGrams: 500,
  foodMark: 'veg',
};

function showCart(cart: CartMap, some: Partial<CartProduct> | null = {}, problem?: string) {
  storeBasket({ cart, checkout: {} });
  const onRemoved = vi.fn();
  const lines = Object.entries(cart[9] ?? {}).map(([size, quantity]) => ({
    productId: 9,
    size: Number(size) as 500 | 1000,
    quantity: quantity ?? 0,
  }));
  showPart(
    <ul>
      <CartEntry
        entry={{ productId: 9, lines }}
        product={some === null ? undefined : { ...laddu, ...some }}
        problem={problem}
        isNextStep
        onRemoved={onRemoved}
      />
    </ul>,
  );
  return { onRemoved };
}

const press = (name: string | RegExp) => fireEvent.click(screen.getByRole('button', { name }));

/** What a press of this kind says. */
function messageOf(basket: Basket, move: () => void): string | null | undefined {
  storeBasket(basket);
  showPart(null);
  act(move);
  return screen.getByRole('region', { name: 'Messages' }).querySelector('p')?.textContent;
}

test('an entry shows name, size, quantity and price', () => {
  showCart({ 9: { 1000: 2 } });
  expect(screen.getByRole('link', { name: 'Besan Laddu' }).getAttribute('href')).toBe('/product/9');
  const entry = screen.getByRole('listitem').textContent;
  expect(entry).toContain('₹320 per 500 g');
  expect(entry).toContain('₹1,280');
});

test('an entry keeps its place while its product loads', () => {
  showCart({ 9: { 500: 1 } }, null);
  expect(screen.getByRole('group', { name: /^Quantity of this item/ })).toBeTruthy();
  expect(screen.getByRole('button', { name: /^Move to checkout/ })).toHaveProperty('disabled', true);
});

test('what cannot be delivered says why, and can be removed there', () => {
  const { onRemoved } = showCart({ 9: { 500: 1, 1000: 2 } }, {}, 'Would not arrive fresh at 744101.');
  expect(screen.getByText('Would not arrive fresh at 744101.')).toBeTruthy();
  press('Remove Besan Laddu');
  expect(currentBasket().cart).toEqual({});
  expect(onRemoved).toHaveBeenCalledTimes(2);
});

test('what is out of stock says so and cannot move to the checkout', () => {
  showCart({ 9: { 500: 1 } }, { available: false });
  expect(screen.getByText('Out of stock for now')).toBeTruthy();
  expect(screen.getByRole('button', { name: 'Move to checkout: Besan Laddu' })).toHaveProperty('disabled', true);
});

test('decreasing a quantity of 1 removes the line from the cart', () => {
  const { onRemoved } = showCart({ 9: { 500: 1 } });
  press('Decrease quantity');
  expect(currentBasket().cart).toEqual({});
  expect(onRemoved).toHaveBeenCalledOnce();
});

test('a single size moves to the checkout in one press', () => {
  showCart({ 9: { 500: 2 } });
  press('Move to checkout: Besan Laddu');
  expect(currentBasket()).toEqual({ cart: {}, checkout: { 9: { 500: 2 } } });
  expect(screen.getByText('Item moved to checkout successfully!')).toBeTruthy();
});

test('of two sizes one has to be selected before it moves', () => {
  showCart({ 9: { 500: 1, 1000: 1 } });
  press('Move to checkout: Besan Laddu');
  expect(screen.getByText('Please select a size first.')).toBeTruthy();
  fireEvent.click(screen.getByRole('radio', { name: '1000 g of Besan Laddu' }));
  press('Move to checkout: Besan Laddu');
  expect(currentBasket()).toEqual({ cart: { 9: { 500: 1 } }, checkout: { 9: { 1000: 1 } } });
});

const inCart: Basket = { cart: { 9: { 500: 1 } }, checkout: {} };
const inCheckout: Basket = { cart: {}, checkout: { 9: { 500: 1 } } };

test('moving an item to the checkout is confirmed', () => {
  expect(messageOf(inCart, () => toCheckout(9, 500))).toBe('Item moved to checkout successfully!');
});

test('moving an item back to the cart is confirmed', () => {
  expect(messageOf(inCheckout, () => backToCart(9, 500))).toBe('Item moved back to cart.');
});

test('removing an item from the checkout is confirmed', () => {
  expect(messageOf(inCheckout, () => deleteFromCheckout(9, 500))).toBe('Item removed from checkout.');
});

test('what another tab took out of the cart cannot be moved', () => {
  expect(messageOf(inCheckout, () => toCheckout(9, 500))).toBe('Item not found in the cart.');
});

test('what another tab took out of the checkout cannot be moved back', () => {
  expect(messageOf(inCart, () => backToCart(9, 500))).toBe('Item not found in checkout.');
});

test('adding to the cart says how much of what was added', () => {
  const sweet = { id: 9, name: 'Besan Laddu', hasSize: true };
  expect(messageOf({ cart: {}, checkout: {} }, () => addToCart(sweet, 1000, 2))).toBe(
    'Added 2x Besan Laddu (1000g) to cart',
  );
});

test('sweets sold by the piece are added without a size', () => {
  const box = { id: 28, name: 'Gift Box', hasSize: false };
  expect(messageOf({ cart: {}, checkout: {} }, () => addToCart(box, 500, 1))).toBe('Added 1x Gift Box to cart');
});
