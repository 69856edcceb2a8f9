import type { Size } from '#domain/cart/cart.ts';
import type { CartProduct } from './cart-products.ts';

/** Products without sizes stand under 500 and are counted in pieces or packs. */
export function sizeLabel(size: Size, product: CartProduct | undefined): string {
  if (product && !product.hasSize) return 'Quantity';
  return `${size} g`;
}

export function sizedName(name: string, size: Size, product: CartProduct | undefined): string {
  return product && !product.hasSize ? name : `${name} (${size} g)`;
}
