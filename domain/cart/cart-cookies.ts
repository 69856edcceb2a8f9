import { type Basket, type CartMap, cartMapFrom } from './cart.ts';

export const cookieDays = 7;
const maxAge = cookieDays * 24 * 60 * 60;

// Browsers keep 4096 bytes a cookie, name included; a longer list goes on in cart.1.
const chunkLength = 3800;
const maxChunks = 2;
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

/** The `document.cookie` assignments that store a list; chunks no longer needed are taken away. */
export function cookiesFor(name: 'cart' | 'checkout', map: CartMap, { secure }: { secure: boolean }): CartCookies {
  const text = cookieText(map);
  const chunks: string[] = [];
  for (let at = 0; at < text.length; at += chunkLength) chunks.push(text.slice(at, at + chunkLength));
  if (chunks.length > maxChunks) return { ok: false, reason: 'too-large' };
  const attributes = `; path=/; samesite=lax${secure ? '; secure' : ''}`;
  return {
    ok: true,
    cookies: Array.from({ length: maxChunks }, (_, index) => {
      const chunk = chunks[index];
      const age = chunk === undefined ? 0 : maxAge;
      return `${cookieName(name, index)}=${chunk ?? ''}; max-age=${age}${attributes}`;
    }),
  };
}

/** JSON with only those characters escaped that a cookie cannot hold: a quarter shorter than escaping all. */
function cookieText(map: CartMap): string {
  return JSON.stringify(map).replaceAll('"', '%22').replaceAll(',', '%2C');
}

/** Reads a list back from a cookie header or `document.cookie`; anything broken is an empty list. */
export function cartMapFromCookies(name: 'cart' | 'checkout', header: string): CartMap {
  const values = new Map(
    header.split(/;\s*/).map((pair) => {
      const split = pair.indexOf('=');
      return [pair.slice(0, split), pair.slice(split + 1)] as const;
    }),
  );
  const chunks = Array.from({ length: maxChunks }, (_, index) => values.get(cookieName(name, index)) ?? '');
  try {
    return cartMapFrom(JSON.parse(decodeURIComponent(chunks.join(''))));
  } catch {
    return {};
  }
}

function cookieName(name: string, index: number): string {
  return index === 0 ? name : `${name}.${index}`;
}
