import { type BoxLine, boxKey } from '../boxes/box.ts';
import type { CartLine } from '../cart/cart.ts';

/** What is bought together: products in their sizes, and boxes that the customer filled. */
export type OrderLine = CartLine | BoxLine;

export const isBox = (line: OrderLine): line is BoxLine => 'boxId' in line;
export const isProduct = (line: OrderLine): line is CartLine => !isBox(line);

/** The same for the same goods. */
export const lineKey = (line: OrderLine): string => (isBox(line) ? boxKey(line) : `${line.productId}/${line.size}`);

/** The products in a line: itself, or what is in the box. */
export const productsOf = (line: OrderLine): number[] =>
  isBox(line) ? line.contents.map(({ productId }) => productId) : [line.productId];
