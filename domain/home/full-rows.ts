/** Cards a row on screens up to 768 px wide, and above. */
export const cardsPerRow = { narrow: 2, wide: 3 } as const;

/**
 * How many cards fill whole rows, so that none stands alone at the end. Fewer than one row are shown as they are:
 * an empty counter would not be true.
 */
export function countInFullRows(count: number, perRow: number): number {
  return count < perRow ? count : count - (count % perRow);
}
