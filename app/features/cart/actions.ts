import { toast } from '#app/ui/toast.tsx';
import { maxQuantity, type Size } from '#domain/cart/cart.ts';
import { lineName, putIn } from '#domain/cart/put-in.ts';
import { currentBasket, storeBasket } from './basket.ts';

export type SoldProduct = { id: number; name: string; hasSize: boolean };

/** Puts it into the cart and says what happened. True when something was put in. */
export function addToCart(product: SoldProduct, size: Size, quantity: number): boolean {
  const basket = currentBasket();
  const { map, added } = putIn(basket.cart, product.id, size, quantity);
  const name = lineName(product, size);
  if (added === 0) {
    toast('warning', `Your cart already holds ${maxQuantity}x ${name}, the most of one kind.`);
    return false;
  }
  if (!storeBasket({ ...basket, cart: map })) {
    toast('error', cartIsFull);
    return false;
  }
  toast('success', `Added ${added}x ${name} to cart`);
  if (added < quantity) toast('info', `${maxQuantity} is the most of one kind, so ${added} of ${quantity} went in.`);
  return true;
}

const cartIsFull = 'Your cart is full. Please take something out or check out first.';
