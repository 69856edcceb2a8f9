import type { Basket, CartMap } from './cart.ts';
import { cookieName, maxChunks } from './cart-cookies.ts';

export const cookieDays = 7;
const maxAge = cookieDays * 24 * 60 * 60;

// Browsers keep 4096 bytes a cookie, name included.
const chunkLength = 3800;
// Both lists travel with every request: Node refuses 16 KiB of headers with 431, nginx a line of 8 KiB.
const maxLength = 7600;

export type CartCookies = { ok: true; cookies: string[] } | { ok: false; reason: 'too-large' };

/** The `document.cookie` assignments that store both lists, or none when together they are too long to travel. */
export function basketCookies({ cart, checkout }: Basket, { secure }: { secure: boolean }): CartCookies {
  if (cookieText(cart).length + cookieText(checkout).length > maxLength) return { ok: false, reason: 'too-large' };
  const cookies = [cookiesFor('cart', cart, { secure }), cookiesFor('checkout', checkout, { secure })];
  if (!cookies.every((list) => list.ok)) return { ok: false, reason: 'too-large' };
  return { ok: true, cookies: cookies.flatMap((list) => list.cookies) };
}

/** The `document.cookie` assignments that store a list; unused chunks are deleted. */
export function cookiesFor(name: 'cart' | 'checkout', map: CartMap, { secure }: { secure: boolean }): CartCookies {
  const text = cookieText(map);
  const chunks: string[] = [];
  for (let at = 0; at < text.length; at += chunkLength) chunks.push(text.slice(at, at + chunkLength));
  if (chunks.length > maxChunks) return { ok: false, reason: 'too-large' };
  const attributes = `; path=/; samesite=lax${secure ? '; secure' : ''}`;
  const indexes = Array.from({ length: maxChunks }, (_, index) => index);
  const current = indexes.map((index) => {
    const chunk = chunks[index];
    const age = chunk === undefined ? 0 : maxAge;
    return `${cookieName(name, index, { secure })}=${chunk ?? ''}; max-age=${age}${attributes}`;
  });
  const replaced = secure
    ? indexes.map((index) => `${cookieName(name, index, { secure: false })}=; max-age=0${attributes}`)
    : [];
  return { ok: true, cookies: [...current, ...replaced] };
}

/** JSON with only those characters escaped that a cookie cannot hold: a quarter shorter than escaping all. */
function cookieText(map: CartMap): string {
  return JSON.stringify(map).replaceAll('"', '%22').replaceAll(',', '%2C');
}
