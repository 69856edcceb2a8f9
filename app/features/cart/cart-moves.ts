import { toast } from '#app/ui/toast.tsx';
import { type BoxLine, boxKey } from '#domain/boxes/box.ts';
import { type Basket, type CartLine, linesOf, maxQuantity, type Size, withQuantity } from '#domain/cart/cart.ts';
import { cartMapFromCookies } from '#domain/cart/cart-cookies.ts';
import {
  type MoveResult,
  moveAllToCheckout,
  moveBackToCart,
  moveToCheckout,
  removeFromCheckout,
} from '#domain/cart/move-lines.ts';
import { withoutBought } from '#domain/checkout/bought-lines.ts';
import { isBox, isProduct, type OrderLine } from '#domain/checkout/order-line.ts';
import { currentBasket, storeBasket } from './basket.ts';
import { allBoxesToCheckout, takeBoughtBoxes } from './box-moves.ts';
import { currentBoxes } from './box-state.ts';

const refusals = {
  'no-size': ['warning', 'Please select a size first.'],
  'not-in-cart': ['error', 'Item not found in the cart.'],
  'not-in-checkout': ['error', 'Item not found in checkout.'],
  full: ['warning', `Limit ${maxQuantity} per item and size.`],
} as const;

/** What the cookies say at this moment: another tab may have changed them since this page was drawn. */
function storedBasket(): Basket {
  return {
    cart: cartMapFromCookies('cart', document.cookie),
    checkout: cartMapFromCookies('checkout', document.cookie),
  };
}

function store(basket: Basket): boolean {
  const stored = storeBasket(basket);
  if (!stored) toast('error', 'Your cart is full. Please remove something first.');
  return stored;
}

function move(act: (basket: Basket) => MoveResult, kind: 'success' | 'info', done: string): void {
  const before = storedBasket();
  const result = act(before);
  if (!result.ok) {
    storeBasket(before);
    const [refusalKind, refusal] = refusals[result.reason];
    toast(refusalKind, refusal);
    return;
  }
  if (!store(result.basket)) return;
  toast(kind, done);
  sayStayed(result.stayed);
}

function sayStayed(stayed: number): void {
  if (stayed > 0) toast('info', `Limit ${maxQuantity} per item and size: ${stayed} stayed in the other list.`);
}

/** Everything that can be bought now, in one press. */
export function allToCheckout(mayMove: (line: CartLine) => boolean, boxes: readonly BoxLine[] = []): void {
  const { basket, moved: movedLines, stayed } = moveAllToCheckout(storedBasket(), mayMove);
  if (!store(basket)) return;
  const keys = new Set(boxes.map(boxKey));
  const moved = movedLines + (boxes.length > 0 ? allBoxesToCheckout((line) => keys.has(boxKey(line))) : 0);
  if (moved === 1) toast('success', 'Item moved to checkout successfully!');
  if (moved > 1) toast('success', `${moved} items moved to checkout.`);
  sayStayed(stayed);
}

export function toCheckout(productId: number, size: Size | null): void {
  move((basket) => moveToCheckout(basket, productId, size), 'success', 'Item moved to checkout successfully!');
}

export function backToCart(productId: number, size: Size): void {
  move((basket) => moveBackToCart(basket, productId, size), 'info', 'Item moved back to cart.');
}

export function deleteFromCheckout(productId: number, size: Size): void {
  move((basket) => removeFromCheckout(basket, productId, size), 'info', 'Item removed from checkout.');
}

/** 0 takes the line out of the cart. */
export function setCartQuantity(productId: number, size: Size, quantity: number): void {
  const { cart, checkout } = storedBasket();
  store({ cart: withQuantity(cart, productId, size, quantity), checkout });
}

export function setCheckoutQuantity(productId: number, size: Size, quantity: number): void {
  const { cart, checkout } = storedBasket();
  if (quantity === 0) deleteFromCheckout(productId, size);
  else store({ cart, checkout: withQuantity(checkout, productId, size, quantity) });
}

/** Reads the lists again and draws them; tells whether the checkout list is still the one that was seen. */
export function recheckCheckout(): 'same' | 'changed' | 'empty' {
  const seen = JSON.stringify(linesOf(currentBasket().checkout));
  const basket = storedBasket();
  storeBasket(basket);
  const lines = linesOf(basket.checkout);
  if (lines.length === 0 && currentBoxes().checkout.length === 0) return 'empty';
  return JSON.stringify(lines) === seen ? 'same' : 'changed';
}

/** What was bought leaves the checkout list, and nothing else does. */
export function takeBought(bought: readonly OrderLine[]): void {
  const { cart, checkout } = storedBasket();
  storeBasket({ cart, checkout: withoutBought(checkout, bought.filter(isProduct)) });
  takeBoughtBoxes(bought.filter(isBox));
}
