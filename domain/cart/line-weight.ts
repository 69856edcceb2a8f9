import type { CartLine } from './cart.ts';

export type UnitWeight = { hasSize: boolean; weightGrams: number };

/** A size weighs what it is called, a piece what its product says: as private.price_orders() in SQL. */
export function lineGrams(
  { hasSize, weightGrams }: UnitWeight,
  { size, quantity }: Pick<CartLine, 'size' | 'quantity'>,
) {
  return (hasSize ? size : weightGrams) * quantity;
}

/** What the lines weigh together; null while one of the products is not known. */
export function totalGrams(
  lines: readonly CartLine[],
  find: (productId: number) => UnitWeight | undefined,
): number | null {
  let sum = 0;
  for (const line of lines) {
    const product = find(line.productId);
    if (product === undefined) return null;
    sum += lineGrams(product, line);
  }
  return sum;
}
