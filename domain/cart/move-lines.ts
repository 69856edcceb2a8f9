import { type Basket, type CartLine, type CartMap, linesOf, maxQuantity, type Size, withQuantity } from './cart.ts';
import { quantityOf, withAdded } from './cart-lists.ts';

/** `stayed`: the quantity that did not fit, because a line holds at most 25. */
export type MoveResult =
  | { ok: true; basket: Basket; stayed: number }
  | { ok: false; reason: 'no-size' | 'not-in-cart' | 'not-in-checkout' | 'full' };

export function moveToCheckout({ cart, checkout }: Basket, productId: number, size: Size | null): MoveResult {
  if (size === null) return { ok: false, reason: 'no-size' };
  if (quantityOf(cart, productId, size) === 0) return { ok: false, reason: 'not-in-cart' };
  const moved = moveLine(cart, checkout, productId, size);
  if (!moved) return { ok: false, reason: 'full' };
  return { ok: true, basket: { cart: moved.from, checkout: moved.to }, stayed: moved.stayed };
}

export type AllMoved = { basket: Basket; moved: number; stayed: number };

/** Moves every allowed line, in all sizes; `moved` counts lines, `stayed` is the quantity that did not fit. */
export function moveAllToCheckout(basket: Basket, canMove: (line: CartLine) => boolean): AllMoved {
  const all: AllMoved = { basket, moved: 0, stayed: 0 };
  for (const { productId, size, quantity } of linesOf(basket.cart).filter(canMove)) {
    const one = moveToCheckout(all.basket, productId, size);
    all.stayed += one.ok ? one.stayed : quantity;
    if (!one.ok) continue;
    all.basket = one.basket;
    all.moved += 1;
  }
  return all;
}

export function moveBackToCart({ cart, checkout }: Basket, productId: number, size: Size): MoveResult {
  if (quantityOf(checkout, productId, size) === 0) return { ok: false, reason: 'not-in-checkout' };
  const moved = moveLine(checkout, cart, productId, size);
  if (!moved) return { ok: false, reason: 'full' };
  return { ok: true, basket: { cart: moved.to, checkout: moved.from }, stayed: moved.stayed };
}

/** Moves as much of a line as fits the other list; null when nothing fits. The rest stays. */
function moveLine(from: CartMap, to: CartMap, productId: number, size: Size) {
  const quantity = quantityOf(from, productId, size);
  const moving = Math.min(quantity, maxQuantity - quantityOf(to, productId, size));
  if (moving === 0) return null;
  return {
    from: withQuantity(from, productId, size, quantity - moving),
    to: withAdded(to, productId, size, moving),
    stayed: quantity - moving,
  };
}

export function removeFromCheckout({ cart, checkout }: Basket, productId: number, size: Size): MoveResult {
  if (quantityOf(checkout, productId, size) === 0) return { ok: false, reason: 'not-in-checkout' };
  return { ok: true, basket: { cart, checkout: withQuantity(checkout, productId, size, 0) }, stayed: 0 };
}
