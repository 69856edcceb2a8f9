// What only the cart and the checkout do with a list; every page loads cart.ts, for the badge.
import { type CartLine, type CartMap, linesOf, type Size, withQuantity } from './cart.ts';

/** A product with what is wanted of it in each size. */
export type CartEntry = { productId: number; lines: CartLine[] };

export function entriesOf(map: CartMap): CartEntry[] {
  return Object.entries(map).map(([id, bySize]) => ({ productId: Number(id), lines: linesOf({ [id]: bySize }) }));
}

export function quantityOf(map: CartMap, productId: number, size: Size): number {
  return map[productId]?.[size] ?? 0;
}

export function withAdded(map: CartMap, productId: number, size: Size, quantity: number): CartMap {
  return withQuantity(map, productId, size, quantityOf(map, productId, size) + quantity);
}

/** Drops products that are no longer sold; returns the same map when there are none. */
export function withoutUnavailable(map: CartMap, isSold: (productId: number, size: Size) => boolean): CartMap {
  return linesOf(map)
    .filter(({ productId, size }) => !isSold(productId, size))
    .reduce((kept, { productId, size }) => withQuantity(kept, productId, size, 0), map);
}
