import { toast } from '#app/ui/toast.tsx';
import { addToList, lineName } from '#domain/cart/add-to-list.ts';
import { type CartLine, maxQuantity, type Size } from '#domain/cart/cart.ts';
import { currentBasket, storeBasket } from './basket.ts';

export type SoldProduct = { id: number; name: string; hasSize: boolean };

/** Puts it into the cart and says what happened. True when something was put in. */
export function addToCart(product: SoldProduct, size: Size, quantity: number): boolean {
  const basket = currentBasket();
  const { map, added } = addToList(basket.cart, product.id, size, quantity);
  const name = lineName(product, size);
  if (added === 0) {
    toast('warning', `Limit ${maxQuantity} per item. Your cart already has ${maxQuantity}x ${name}.`);
    return false;
  }
  if (!storeBasket({ ...basket, cart: map })) {
    toast('error', cartIsFull);
    return false;
  }
  toast('success', `Added ${added}x ${name} to cart`, viewCart);
  if (added < quantity) toast('info', `Limit ${maxQuantity} per item. We added ${added}.`);
  return true;
}

/** Puts the lines of an earlier order into the cart, as many as fit. False when the cart cannot hold them. */
export function orderAgain(lines: readonly CartLine[]): boolean {
  const basket = currentBasket();
  const cart = lines.reduce(
    (map, { productId, size, quantity }) => addToList(map, productId, size, quantity).map,
    basket.cart,
  );
  if (storeBasket({ ...basket, cart })) return true;
  toast('error', cartIsFull);
  return false;
}

const viewCart = { href: '/cart', label: 'View cart' };
const cartIsFull = 'Your cart is full. Please remove something or check out first.';
