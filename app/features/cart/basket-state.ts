import { useSyncExternalStore } from 'react';
import { type Basket, emptyBasket } from '#domain/cart/cart.ts';
import { cartMapFromCookies } from '#domain/cart/cart-cookies.ts';

let basket: Basket | undefined;
const listeners = new Set<() => void>();

/** What the cookies hold now. Read again after `refreshBasket`, so that other tabs' changes are seen. */
export function currentBasket(): Basket {
  basket ??= storedBasket();
  return basket;
}

/** The very `emptyBasket` that the server rendered where there is nothing: hydration then changes nothing. */
function storedBasket(): Basket {
  const cart = cartMapFromCookies('cart', document.cookie);
  const checkout = cartMapFromCookies('checkout', document.cookie);
  const isEmpty = Object.keys(cart).length === 0 && Object.keys(checkout).length === 0;
  return isEmpty ? emptyBasket : { cart, checkout };
}

/** For `storeBasket`, which has changed the cookies, and for boxes, which the badge counts as well. */
export function showBasket(next: Basket): void {
  basket = next;
  tell();
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

function listen(listener: () => void): () => void {
  if (listeners.size === 0) for (const event of returns) window.addEventListener(event, refreshBasket);
  listeners.add(listener);
  return () => {
    listeners.delete(listener);
    if (listeners.size === 0) for (const event of returns) window.removeEventListener(event, refreshBasket);
  };
}

/** The server knows no cookies: pages are the same for everybody. */
export function useBasket(): Basket {
  return useSyncExternalStore(listen, currentBasket, () => emptyBasket);
}
