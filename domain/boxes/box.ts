import { maxQuantity } from '../cart/cart.ts';
import type { Paise } from '../money.ts';

/** A box that can be chosen, with places for one piece each. */
export type BoxSize = { id: number; name: string; places: number; pricePaise: Paise; weightGrams: number };

/** A sweet that fits, as the shop sells it now. */
export type BoxSweet = {
  productId: number;
  name: string;
  category: string;
  /** Per 500 g. */
  pricePaise: Paise;
  gstPercent: number;
  pieceGrams: number;
  image: string;
  /** One piece on transparent ground; empty: the product's picture, cut round. */
  pieceImage: string;
  foodMark: 'veg' | 'non-veg' | null;
  allergens: string;
  shelfLifeDays: number | null;
  isAvailable: boolean;
};

export type BoxPage = { sizes: BoxSize[]; sweets: BoxSweet[] };

/** What is in a place of an open box: the id of a sweet. */
export type Place = number | null;

/** Pieces of one sweet. */
export type Portion = { productId: number; pieces: number };
/** What is in a box, by product id. */
export type Contents = readonly Portion[];

/** A filled box, as it lies in the cart and is ordered. */
export type BoxLine = { boxId: number; contents: Contents; quantity: number };

export const maxBoxes = maxQuantity;

/** What lies in the places, by product id. */
export function contentsOf(places: readonly Place[]): Portion[] {
  const pieces = new Map<number, number>();
  for (const productId of places) if (productId !== null) pieces.set(productId, (pieces.get(productId) ?? 0) + 1);
  return [...pieces].map(([productId, count]) => ({ productId, pieces: count })).sort(byId);
}

/** Places filled with contents, in order; what has no room is left out. */
export function placesFor(contents: Contents, places: number): Place[] {
  const filled = contents.flatMap(({ productId, pieces }) => Array.from({ length: pieces }, () => productId));
  return Array.from({ length: places }, (_, place) => filled[place] ?? null);
}

/** The same for boxes with equal contents, whatever lies where: 3:12=4,15=8. */
export function boxKey({ boxId, contents }: Pick<BoxLine, 'boxId' | 'contents'>): string {
  return `${boxId}:${[...contents]
    .sort(byId)
    .map(({ productId, pieces }) => `${productId}=${pieces}`)
    .join()}`;
}

export const piecesIn = (contents: Contents): number => contents.reduce((sum, { pieces }) => sum + pieces, 0);

/** "4 Besan Laddu, 2 Karachi Halwa", most first, as the order will have it. */
export function contentsText(contents: Contents, nameOf: (productId: number) => string | undefined): string {
  return [...contents]
    .sort((a, b) => b.pieces - a.pieces || byId(a, b))
    .map(({ productId, pieces }) => `${pieces} ${nameOf(productId) ?? 'that we no longer pack'}`)
    .join(', ');
}

const byId = (a: Portion, b: Portion) => a.productId - b.productId;

/** How wide a box is: as near to three wide by two deep as its places allow, without a gap where possible. */
export function columnsOf(places: number): number {
  const ideal = Math.sqrt(places * 1.4);
  const candidates = Array.from({ length: 6 }, (_, index) => index + 2).filter((columns) => columns <= places);
  const cost = (columns: number) => ((columns - (places % columns)) % columns) * 10 + Math.abs(columns - ideal);
  return candidates.reduce((best, columns) => (cost(columns) < cost(best) ? columns : best), candidates[0] ?? 1);
}
