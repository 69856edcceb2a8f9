import { type CartLine, defaultSize, maxQuantity, sizes } from './cart.ts';

/** The line that a form puts into the cart: a product, and its size and quantity where the form has them. */
export function cartLineFrom(form: { get(name: string): unknown }): CartLine | null {
  const product = String(form.get('product') ?? '');
  if (!/^[1-9]\d{0,8}$/.test(product)) return null;
  const size = sizes.find((one) => String(one) === form.get('size')) ?? defaultSize;
  const quantity = Number(form.get('quantity') ?? 1);
  if (!Number.isInteger(quantity) || quantity < 1 || quantity > maxQuantity) return null;
  return { productId: Number(product), size, quantity };
}
