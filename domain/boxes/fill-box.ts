import type { BoxSweet, Place } from './box.ts';

type Kind = Pick<BoxSweet, 'productId' | 'category'>;

/**
 * A suggestion for the places that are still empty. Half as many kinds as there are places: those that are in the box already,
 * then the most popular ones, of the category that is in it least. The kind with the fewest pieces is next, and never beside
 * itself where another can be. The same box gets the same suggestion. `sweets` are the most popular first.
 */
export function fillRest(places: readonly Place[], sweets: readonly Kind[], columns: number): Place[] {
  const kinds = chooseKinds(places, sweets);
  const filled = [...places];
  if (kinds.length === 0) return filled;
  for (const [place, productId] of filled.entries()) {
    if (productId !== null) continue;
    const neighbours = [place % columns > 0 ? filled[place - 1] : null, filled[place - columns]];
    const pieces = (kind: number) => filled.filter((other) => other === kind).length;
    const next = kinds.reduce((best, kind) => {
      const [fewer, beside] = [
        pieces(kind) - pieces(best),
        Number(neighbours.includes(best)) - Number(neighbours.includes(kind)),
      ];
      return fewer < 0 || (fewer <= 1 && beside > 0) ? kind : best;
    });
    filled[place] = next;
  }
  return filled;
}

function chooseKinds(places: readonly Place[], sweets: readonly Kind[]): number[] {
  const wanted = Math.max(2, Math.ceil(places.length / 2));
  const inBox = new Set(places);
  const chosen = sweets.filter(({ productId }) => inBox.has(productId));
  const others = sweets.filter(({ productId }) => !inBox.has(productId));
  while (chosen.length < wanted && others.length > 0) {
    const fewest = (category: string) => chosen.filter((sweet) => sweet.category === category).length;
    const next = others.reduce((best, sweet) => (fewest(sweet.category) < fewest(best.category) ? sweet : best));
    chosen.push(next);
    others.splice(others.indexOf(next), 1);
  }
  return chosen.map(({ productId }) => productId);
}
