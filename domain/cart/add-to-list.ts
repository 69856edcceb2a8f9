import { type CartMap, maxQuantity, type Size } from './cart.ts';
import { quantityOf, withAdded } from './cart-lists.ts';

/** The list after adding: all of the quantity, a part (25 is the maximum), or nothing. */
export type AddedToList = { map: CartMap; added: number };

export function addToList(map: CartMap, productId: number, size: Size, quantity: number): AddedToList {
  const before = quantityOf(map, productId, size);
  const added = Math.max(Math.min(Math.trunc(quantity) || 0, maxQuantity - before), 0);
  return { map: added > 0 ? withAdded(map, productId, size, added) : map, added };
}

/** 'Besan Laddu (500g)', or the name alone for a product without sizes. */
export function lineName({ name, hasSize }: { name: string; hasSize: boolean }, size: Size): string {
  return hasSize ? `${name} (${size}g)` : name;
}
