import { type CartLine, type CartMap, quantityOf, withQuantity } from '../cart/cart.ts';

/** A list without what was bought. What joined it meanwhile stays. */
export function withoutBought(map: CartMap, bought: readonly CartLine[]): CartMap {
  return bought.reduce(
    (left, { productId, size, quantity }) =>
      withQuantity(left, productId, size, Math.max(quantityOf(left, productId, size) - quantity, 0)),
    map,
  );
}
