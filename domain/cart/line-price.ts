import { type Paise, paise } from '../money.ts';
import { type CartLine, defaultSize } from './cart.ts';

/** Price = unit price per 500 g × size/500 × quantity. Products without sizes stand under 500: price × quantity. */
export function linePaise(unitPaise: Paise, { size, quantity }: Pick<CartLine, 'size' | 'quantity'>): Paise {
  return paise((unitPaise * size * quantity) / defaultSize);
}

/** What the lines cost together; null while the price of one of them is not known. */
export function subtotalPaise(
  lines: readonly CartLine[],
  unitPaise: (productId: number) => Paise | undefined,
): Paise | null {
  let sum = 0;
  for (const line of lines) {
    const unit = unitPaise(line.productId);
    if (unit === undefined) return null;
    sum += linePaise(unit, line);
  }
  return paise(sum);
}
