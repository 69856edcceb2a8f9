import { type BoxLine, type BoxPage, boxKey, piecesIn } from '#domain/boxes/box.ts';
import type { BoxLists } from '#domain/boxes/box-lists.ts';
import { boxSums } from '#domain/boxes/box-price.ts';
import { type Paise, paise } from '#domain/money.ts';

/** What the rest of the cart needs to know of the boxes in it. */
export type PricedBoxes = {
  /** Of the checkout, those that can be bought. */
  buyable: readonly BoxLine[];
  /** Of the cart, those that can move to the checkout. */
  movable: readonly BoxLine[];
  goodsPaise(lines: readonly BoxLine[]): Paise;
  grams(lines: readonly BoxLine[]): number;
};

export function pricedBoxes({ cart, checkout }: BoxLists, page: BoxPage): PricedBoxes {
  const sum = (lines: readonly BoxLine[], what: 'unitPaise' | 'grams') =>
    lines.reduce((total, line) => total + (sumsOf(line, page)?.[what] ?? 0) * line.quantity, 0);
  return {
    buyable: checkout.filter((line) => problemOf(line, page) === undefined),
    movable: cart.filter((line) => problemOf(line, page) === undefined),
    goodsPaise: (lines) => paise(sum(lines, 'unitPaise')),
    grams: (lines) => sum(lines, 'grams'),
  };
}

function sumsOf({ boxId, contents }: BoxLine, { sizes, sweets }: BoxPage) {
  const size = sizes.find(({ id }) => id === boxId);
  return size && boxSums(size, contents, (id) => sweets.find(({ productId }) => productId === id));
}

/** Why a box cannot be ordered as the shop is now, with the sweet that is missing. */
export function problemOf({ boxId, contents }: BoxLine, { sizes, sweets }: BoxPage): string | undefined {
  const size = sizes.find(({ id }) => id === boxId);
  if (!size) return 'This box is no longer available.';
  for (const { productId } of contents) {
    const sweet = sweets.find((one) => one.productId === productId);
    if (!sweet) return 'One of its sweets is no longer available. Change box to choose another.';
    if (!sweet.isAvailable) return `${sweet.name} is out of stock. Change box to choose another.`;
  }
  return piecesIn(contents) === size.places ? undefined : `${size.name} has other places now. Change box to fill it.`;
}

/** Problems of boxes by their key, from those of all lines. */
export const boxProblems = (lines: readonly { boxKey?: string; sentence: string }[]): ReadonlyMap<string, string> =>
  new Map(lines.flatMap(({ boxKey: key, sentence }) => (key === undefined ? [] : [[key, sentence]])));

export const isHeldBack = (problems: ReadonlyMap<string, string>) => (line: BoxLine) => problems.has(boxKey(line));
