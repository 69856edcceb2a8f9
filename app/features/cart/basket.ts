import { basketCookies } from '#domain/cart/basket-cookies.ts';
import type { Basket } from '#domain/cart/cart.ts';
import { showBasket } from './basket-state.ts';

export { currentBasket } from './basket-state.ts';

/** Stores both lists for seven days from now. False when a list is longer than a browser keeps: nothing changes then. */
export function storeBasket(next: Basket): boolean {
  const stored = basketCookies(next, { secure: window.location.protocol === 'https:' });
  if (!stored.ok) return false;
  // biome-ignore lint/suspicious/noDocumentCookie: the Cookie Store API is not in every browser
  for (const cookie of stored.cookies) document.cookie = cookie;
  showBasket(next);
  return true;
}
