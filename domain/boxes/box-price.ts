import { withTaxPaise } from '../catalog/price-with-tax.ts';
import { type Paise, paise } from '../money.ts';
import type { BoxSize, BoxSweet, Contents } from './box.ts';

/** What one piece costs before tax: its share of the price of 500 g, half a paisa upwards (private.piece_paise() in SQL). */
export function piecePaise({ pricePaise, pieceGrams }: Pick<BoxSweet, 'pricePaise' | 'pieceGrams'>): Paise {
  return paise(Math.floor((pricePaise * pieceGrams * 2 + 500) / 1000));
}

export type Find = (productId: number) => BoxSweet | undefined;

export type BoxSums = {
  /** One box before tax. */
  unitPaise: Paise;
  /** The highest rate of its sweets: a box for one price is taxed as a mixed supply. */
  gstPercent: number;
  /** With its packaging. */
  grams: number;
};

/** What one box costs and weighs, also while it is being filled; null where a sweet is not known. */
export function boxSums(size: BoxSize, contents: Contents, find: Find): BoxSums | null {
  let unit: number = size.pricePaise;
  let grams = size.weightGrams;
  let gstPercent = 0;
  for (const { productId, pieces } of contents) {
    const sweet = find(productId);
    if (!sweet) return null;
    unit += piecePaise(sweet) * pieces;
    grams += sweet.pieceGrams * pieces;
    gstPercent = Math.max(gstPercent, sweet.gstPercent);
  }
  return { unitPaise: paise(unit), gstPercent, grams };
}

/** Boxes with their GST, rounded once for the line, as the order has it. */
export function boxesWithTaxPaise({ unitPaise, gstPercent }: BoxSums, quantity: number): Paise {
  return withTaxPaise(paise(unitPaise * quantity), gstPercent);
}
