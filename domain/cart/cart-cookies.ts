import { type CartMap, cartMapFrom } from './cart.ts';

export const cookieDays = 7;
const maxAge = cookieDays * 24 * 60 * 60;

// Browsers keep 4096 bytes a cookie, name and attributes included; a longer list goes on in cart.1, cart.2 …
const chunkBytes = 3800;
const maxChunks = 3;

export type CartCookies = { ok: true; cookies: string[] } | { ok: false; reason: 'too-large' };

/** The `document.cookie` assignments that store a list; chunks no longer needed are taken away. */
export function cookiesFor(name: 'cart' | 'checkout', map: CartMap, { secure }: { secure: boolean }): CartCookies {
  const text = encodeURIComponent(JSON.stringify(map));
  const chunks: string[] = [];
  for (let at = 0; at < text.length; at += chunkBytes) chunks.push(text.slice(at, at + chunkBytes));
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
