import type { ShopClient } from '#app/backend/client.ts';
import { type BoxLine, boxKey, maxBoxes } from '#domain/boxes/box.ts';
import { type BoxLists, boxIn, withBoxes } from '#domain/boxes/box-lists.ts';
import { type Basket, type CartLine, maxQuantity, withQuantity } from '#domain/cart/cart.ts';
import { quantityOf } from '#domain/cart/cart-lists.ts';
import { boxesToSend, type LineAgain, linesAgain, linesToSend } from '#domain/gifts/send-again.ts';
import { currentBasket, storeBasket } from './basket.ts';
import { currentBoxes, storeBoxes } from './box-state.ts';

export type SavedCart =
  | { state: 'saved'; lines: LineAgain[] }
  /** Something was ordered since: it may be these items. */
  | { state: 'ordered' }
  /** The link is too old, incomplete, or not ours. */
  | { state: 'missing' };

/** The items that the link in a reminder puts back. Throws when they cannot be read. */
export async function readSavedCart(client: ShopClient, token: string): Promise<SavedCart> {
  const { data, error } = await client.rpc('cart_by_link', { token: token.slice(0, 200) });
  if (error) throw error;
  const { is_ordered, lines } = (data ?? {}) as { is_ordered?: unknown; lines?: unknown };
  if (is_ordered === true) return { state: 'ordered' };
  const saved = linesAgain(lines);
  return saved && saved.length > 0 ? { state: 'saved', lines: saved } : { state: 'missing' };
}

/** Puts what can be bought into the checkout list; false where this browser cannot keep it. */
export function restoreLines(lines: readonly LineAgain[]): boolean {
  const boxes = boxesToSend(lines);
  if (!storeBasket(withSaved(currentBasket(), linesToSend(lines)))) return false;
  return boxes.length === 0 || storeBoxes(withSavedBoxes(currentBoxes(), boxes));
}

/** At least as many as were saved, in both lists together: on the same device they are there already. */
export function withSaved(basket: Basket, lines: readonly CartLine[]): Basket {
  const checkout = lines.reduce((map, { productId, size, quantity }) => {
    const wanted = quantity - quantityOf(basket.cart, productId, size);
    const before = quantityOf(map, productId, size);
    return wanted > before ? withQuantity(map, productId, size, Math.min(wanted, maxQuantity)) : map;
  }, basket.checkout);
  return { ...basket, checkout };
}

/** The same for boxes. */
export function withSavedBoxes(lists: BoxLists, boxes: readonly BoxLine[]): BoxLists {
  const checkout = boxes.reduce<readonly BoxLine[]>((list, box) => {
    const key = boxKey(box);
    const wanted = box.quantity - (boxIn(lists.cart, key)?.quantity ?? 0);
    return wanted > (boxIn(list, key)?.quantity ?? 0) ? withBoxes(list, box, Math.min(wanted, maxBoxes)) : list;
  }, lists.checkout);
  return { ...lists, checkout };
}
