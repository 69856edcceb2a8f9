import { type CartMap, cartMapFrom } from './cart.ts';

/** A list too long for one cookie continues in cart.1. */
export const maxChunks = 2;

/** Parses a list from a cookie header or `document.cookie`; an invalid one is an empty list. */
export function cartMapFromCookies(name: 'cart' | 'checkout', header: string): CartMap {
  const values = new Map(
    header.split(/;\s*/).map((pair) => {
      const split = pair.indexOf('=');
      return [pair.slice(0, split), pair.slice(split + 1)] as const;
    }),
  );
  const secure = values.has(cookieName(name, 0, { secure: true }));
  const chunks = Array.from({ length: maxChunks }, (_, index) => values.get(cookieName(name, index, { secure })) ?? '');
  try {
    return cartMapFrom(JSON.parse(decodeURIComponent(chunks.join(''))));
  } catch {
    return {};
  }
}

/** On https the browser takes this prefix from this host alone; carts stored under the plain name are still read. */
export function cookieName(name: string, index: number, { secure }: { secure: boolean }): string {
  const plain = index === 0 ? name : `${name}.${index}`;
  return secure ? `__Host-${plain}` : plain;
}
