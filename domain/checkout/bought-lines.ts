import { type CartLine, type CartMap, withQuantity } from '../cart/cart.ts';
import { quantityOf } from '../cart/cart-lists.ts';

/** A cart without the bought items. Items added since stay. */
export function withoutBought(map: CartMap, bought: readonly CartLine[]): CartMap {
  return bought.reduce(
    (left, { productId, size, quantity }) =>
      withQuantity(left, productId, size, Math.max(quantityOf(left, productId, size) - quantity, 0)),
    map,
  );
}
