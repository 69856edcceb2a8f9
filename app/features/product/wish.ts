import { forget, recall, remember } from '#app/backend/remembered.ts';
import { type CartLine, maxQuantity, sizes } from '#domain/cart/cart.ts';

// What a visitor wanted to buy when sign-in began: it is chosen again when they come back, in this tab.
const key = 'mithaas-wish';

export function rememberWish(line: CartLine): void {
  remember('sessionStorage', key, JSON.stringify(line));
}

/** The size and quantity that were chosen of this product; once. Storage may hold anything. */
export function takeWish(productId: number): CartLine | null {
  const wish = wishFrom(recall('sessionStorage', key));
  if (wish?.productId !== productId) return null;
  forget('sessionStorage', key);
  return wish;
}

export function wishFrom(text: string | null): CartLine | null {
  try {
    const { productId, size, quantity } = JSON.parse(text ?? '') as CartLine;
    const isQuantity = Number.isInteger(quantity) && quantity >= 1 && quantity <= maxQuantity;
    return Number.isInteger(productId) && sizes.includes(size) && isQuantity ? { productId, size, quantity } : null;
  } catch {
    return null;
  }
}
