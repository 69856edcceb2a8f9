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
  food_mark: 'To list it, choose veg or non-veg.',
  ingredients: 'To list it, enter the ingredients.',
  allergens: 'To list it, enter the allergens, or None.',
  shelf_life_days: 'To list it, enter the shelf life.',
  storage: 'To list it, enter how to store it.',
  weight_grams: 'Enter the weight of a piece or pack.',
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
