import { useSyncExternalStore } from 'react';
import { type Basket, emptyBasket } from '#domain/cart/cart.ts';
import { basketCookies, cartMapFromCookies } from '#domain/cart/cart-cookies.ts';

let basket: Basket | undefined;
const listeners = new Set<() => void>();

/** What the cookies hold now. Read again after `refreshBasket`, so that other tabs' changes are seen. */
export function currentBasket(): Basket {
  basket ??= {
    cart: cartMapFromCookies('cart', document.cookie),
    checkout: cartMapFromCookies('checkout', document.cookie),
  };
  return basket;
}

/** Stores both lists for seven days from now. False when a list is longer than a browser keeps: nothing changes then. */
export function storeBasket(next: Basket): boolean {
  const stored = basketCookies(next, { secure: window.location.protocol === 'https:' });
  if (!stored.ok) return false;
  // biome-ignore lint/suspicious/noDocumentCookie: the Cookie Store API is not in every browser
  for (const cookie of stored.cookies) document.cookie = cookie;
  basket = next;
  tell();
  return true;
}

function refreshBasket(): void {
  const before = JSON.stringify(basket);
  basket = undefined;
  if (JSON.stringify(currentBasket()) !== before) tell();
}

function tell(): void {
  for (const listener of listeners) listener();
}

// Another tab may have changed the cookies while this one was away.
const returns = ['focus', 'pageshow', 'visibilitychange'];

function subscribe(listener: () => void): () => void {
  if (listeners.size === 0) for (const event of returns) window.addEventListener(event, refreshBasket);
  listeners.add(listener);
  return () => {
    listeners.delete(listener);
    if (listeners.size === 0) for (const event of returns) window.removeEventListener(event, refreshBasket);
  };
}

/** The server knows no cookies: pages are the same for everybody. */
export function useBasket(): Basket {
  return useSyncExternalStore(subscribe, currentBasket, () => emptyBasket);
}
