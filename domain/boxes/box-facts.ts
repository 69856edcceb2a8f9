import { type Allergens, readAllergens } from '../products/allergens.ts';
import type { BoxSweet, Contents } from './box.ts';
import type { Find } from './box-price.ts';

export type BoxFacts = {
  /** Non-veg as soon as one sweet is; null while one of them is not marked, or nothing is chosen. */
  foodMark: 'veg' | 'non-veg' | null;
  allergens: Allergens;
  /** As long as the first of them to go; null where none says how long it keeps. */
  shelfLifeDays: number | null;
};

/** What is printed about a box, of the sweets in it together. */
export function boxFacts(contents: Contents, find: Find): BoxFacts {
  const sweets = contents.map(({ productId }) => find(productId)).filter((sweet) => sweet !== undefined);
  const marks = new Set(sweets.map(({ foodMark }) => foodMark));
  const lives = sweets.map(({ shelfLifeDays }) => shelfLifeDays).filter((days) => days !== null);
  return {
    foodMark: marks.has('non-veg') ? 'non-veg' : marks.size === 1 && marks.has('veg') ? 'veg' : null,
    allergens: readAllergens(sweets.map(({ allergens }) => allergens)),
    shelfLifeDays: lives.length > 0 ? Math.min(...lives) : null,
  };
}

/** What can be left out of a box. */
export const avoidable = { nuts: 'No nuts', gluten: 'No gluten' } as const;
export type Avoidable = keyof typeof avoidable;
export const avoidables = Object.keys(avoidable) as Avoidable[];

const words: Record<Avoidable, RegExp> = {
  nuts: /nut|almond|cashew|pistachio|hazel|pecan|macadamia|badam|kaju|pista/i,
  gluten: /gluten|wheat|barley|rye|oats?\b|semolina|maida/i,
};
const harmless = /coconut|nutmeg/gi;

/** Whether a sweet contains it or may contain it: who avoids nuts avoids traces as well, and peanuts. */
export function isFreeOf({ allergens }: Pick<BoxSweet, 'allergens'>, avoided: readonly Avoidable[]): boolean {
  const written = allergens.replace(harmless, '');
  return avoided.every((what) => !words[what].test(written));
}
