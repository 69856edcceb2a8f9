/** The facts that food is sold with, by their column, in the order in which a form asks for them. */
export const listingFacts = [
  'food_mark',
  'ingredients',
  'allergens',
  'shelf_life_days',
  'storage',
  'weight_grams',
] as const;
export type ListingFact = (typeof listingFacts)[number];

/** As typed, or as the database has them. */
export type ListingFacts = Record<ListingFact, string | number | null>;

const words: Record<ListingFact, string> = {
  food_mark: 'veg or non-veg',
  ingredients: 'ingredients',
  allergens: 'allergens',
  shelf_life_days: 'shelf life',
  storage: 'storage',
  weight_grams: 'net weight',
};

/** What is said at the field. */
export const listingNeeds: Record<ListingFact, string> = {
  food_mark: 'A listed product needs its mark: veg or non-veg.',
  ingredients: 'A listed product needs its ingredients.',
  allergens: 'A listed product needs its allergens. Write None if there are none.',
  shelf_life_days: 'A listed product needs its shelf life.',
  storage: 'A listed product needs to say how it is stored.',
  weight_grams: 'Say what a piece or pack weighs.',
};

/** Anything that can be seen; without the signs that nobody sees. private.is_blank lists the same. */
const seen = /[^\s\p{Cc}\p{Default_Ignorable_Code_Point}\u2800]/u;

export const isBlank = (words: string): boolean => !seen.test(words);

/**
 * What is still missing before customers may see a product. The database asks the same (private.missing_facts), and
 * refuses to list it.
 */
export function listingGaps(facts: ListingFacts): ListingFact[] {
  return listingFacts.filter((fact) => {
    const value = facts[fact];
    return value === null || isBlank(String(value));
  });
}

export const gapWords = (gaps: readonly string[]): string =>
  gaps.map((gap) => words[gap as ListingFact] ?? gap).join(', ');
