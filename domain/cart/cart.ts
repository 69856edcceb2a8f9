export const sizes = [500, 1000] as const;
export type Size = (typeof sizes)[number];
export const defaultSize: Size = 500;
export const maxQuantity = 25;

/** Product id → size in grams → quantity. Products without sizes stand under 500. */
export type CartMap = Record<string, Partial<Record<Size, number>>>;
/** Two lists: what is in the cart, and what is going to be paid. */
export type Basket = { cart: CartMap; checkout: CartMap };
export type CartLine = { productId: number; size: Size; quantity: number };

export const emptyBasket: Basket = { cart: {}, checkout: {} };

export function linesOf(map: CartMap): CartLine[] {
  return Object.entries(map).flatMap(([id, bySize]) =>
    sizes.flatMap((size) => {
      const quantity = bySize[size];
      return quantity ? [{ productId: Number(id), size, quantity }] : [];
    }),
  );
}

/** The badge counts everything the customer has put aside, in both lists. */
export function totalQuantity({ cart, checkout }: Basket): number {
  return [...linesOf(cart), ...linesOf(checkout)].reduce((sum, line) => sum + line.quantity, 0);
}

/** A quantity of 0 takes the line out; more than 25 is 25. */
export function withQuantity(map: CartMap, productId: number, size: Size, quantity: number): CartMap {
  const { [size]: _, ...otherSizes } = map[productId] ?? {};
  const bySize = quantity > 0 ? { ...otherSizes, [size]: Math.min(Math.trunc(quantity), maxQuantity) } : otherSizes;
  const { [productId]: __, ...otherProducts } = map;
  return Object.keys(bySize).length > 0 ? { ...otherProducts, [productId]: bySize } : otherProducts;
}

/** Parses a cookie's value; anything that is not a product, a size or a quantity is dropped. */
export function cartMapFrom(value: unknown): CartMap {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return {};
  let map: CartMap = {};
  for (const [id, bySize] of Object.entries(value)) {
    if (!/^[1-9]\d{0,14}$/.test(id) || typeof bySize !== 'object' || bySize === null) continue;
    for (const size of sizes) {
      const quantity = Number((bySize as Record<string, unknown>)[size]);
      if (Number.isInteger(quantity) && quantity > 0) map = withQuantity(map, Number(id), size, quantity);
    }
  }
  return map;
}
