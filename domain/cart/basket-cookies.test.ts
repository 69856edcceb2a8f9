import { expect, test } from 'vitest';
import { basketCookies, cookieDays, cookiesFor } from './basket-cookies.ts';
import type { Basket, CartMap } from './cart.ts';
import { cartMapFromCookies } from './cart-cookies.ts';

const secure = false;

/** What a browser would send back: the name and value of every cookie that is not taken away. */
function headerOf(cookies: readonly string[]): string {
  return cookies
    .filter((cookie) => !cookie.includes('max-age=0'))
    .map((cookie) => cookie.split(';')[0])
    .join('; ');
}

function stored(basket: Basket): string[] {
  const result = basketCookies(basket, { secure });
  if (!result.ok) throw new Error(result.reason);
  return result.cookies;
}

const manyProducts = (count: number, bySize: CartMap[string]): CartMap =>
  Object.fromEntries(Array.from({ length: count }, (_, index) => [index + 101, bySize]));

test('both lists are kept for seven days, on the whole site', () => {
  expect(cookieDays).toBe(7);
  const cookies = stored({ cart: { 9: { 500: 2 } }, checkout: { 10: { 1000: 1 } } });
  expect(cookies).toContain('cart={%229%22:{%22500%22:2}}; max-age=604800; path=/; samesite=lax');
  expect(cookies).toContain('checkout={%2210%22:{%221000%22:1}}; max-age=604800; path=/; samesite=lax');
});

test('over https the cookies never travel in the clear', () => {
  const result = cookiesFor('cart', {}, { secure: true });
  expect(result.ok && result.cookies.every((cookie) => cookie.endsWith('; secure'))).toBe(true);
});

test('over https the names belong to this host alone, and a cart stored before under the plain name moves over', () => {
  const plain = headerOf(stored({ cart: { 9: { 500: 2 } }, checkout: {} }));
  expect(cartMapFromCookies('cart', plain)).toEqual({ 9: { 500: 2 } });
  const result = cookiesFor('cart', { 10: { 500: 1 } }, { secure: true });
  const cookies = result.ok ? result.cookies : [];
  expect(headerOf(cookies)).toBe('__Host-cart={%2210%22:{%22500%22:1}}');
  expect(cookies).toContain('cart=; max-age=0; path=/; samesite=lax; secure');
  // A browser that has both, for whatever reason, is believed the one that only this host can write.
  expect(cartMapFromCookies('cart', `${plain}; ${headerOf(cookies)}`)).toEqual({ 10: { 500: 1 } });
});

test('what is stored is read back, and the lists do not mix', () => {
  const basket: Basket = { cart: { 9: { 500: 2, 1000: 25 }, 10: { 500: 1 } }, checkout: { 11: { 1000: 3 } } };
  const header = `theme=dark; ${headerOf(stored(basket))}; other=1`;
  expect(cartMapFromCookies('cart', header)).toEqual(basket.cart);
  expect(cartMapFromCookies('checkout', header)).toEqual(basket.checkout);
});

test('a value escaped in full, as other programs write it, is read too', () => {
  const header = `cart=${encodeURIComponent(JSON.stringify({ 9: { 500: 2 } }))}`;
  expect(cartMapFromCookies('cart', header)).toEqual({ 9: { 500: 2 } });
});

test('150 products in both sizes fit into cookies that browsers accept', () => {
  const cart = manyProducts(150, { 500: 25, 1000: 25 });
  const cookies = stored({ cart, checkout: {} });
  expect(cartMapFromCookies('cart', headerOf(cookies))).toEqual(cart);
  for (const cookie of cookies) expect(cookie.length).toBeLessThan(4096);
  expect(cookies.filter((cookie) => cookie.startsWith('cart.1=')).length).toBe(1);
});

test('a shorter list deletes cookies it no longer needs', () => {
  const cookies = stored({ cart: { 9: { 500: 1 } }, checkout: {} });
  expect(cookies).toContain('cart.1=; max-age=0; path=/; samesite=lax');
});

test('lists that would not fit into cookies are rejected, and nothing is half written', () => {
  const long = manyProducts(150, { 500: 25, 1000: 25 });
  expect(stored({ cart: long, checkout: {} }).join('; ').length).toBeLessThan(8192);
  expect(basketCookies({ cart: long, checkout: long }, { secure })).toEqual({ ok: false, reason: 'too-large' });
  expect(basketCookies({ cart: manyProducts(900, { 500: 1 }), checkout: {} }, { secure })).toEqual({
    ok: false,
    reason: 'too-large',
  });
});

test.each([
  '',
  'cart',
  'cart=',
  'cart=%',
  'cart=%E0%A4%A',
  'cart={',
  'cart=null',
  'cart=[1,2]',
  'cart="<script>"',
  'cart.1={%229%22:{%22500%22:2}',
])('%j is an empty cart', (header) => expect(cartMapFromCookies('cart', header)).toEqual({}));
