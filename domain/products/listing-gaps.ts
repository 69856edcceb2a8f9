/** The required food facts by column, in the order of the form. */
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

/** The message at the field. */
export const listingNeeds: Record<ListingFact, string> = {
  food_mark: 'To list it, choose veg or non-veg.',
  ingredients: 'To list it, enter the ingredients.',
  allergens: 'To list it, enter the allergens, or None.',
  shelf_life_days: 'To list it, enter the shelf life.',
  storage: 'To list it, enter how to store it.',
  weight_grams: 'Enter the weight of a piece or pack.',
};

/** Any visible character. The same list as private.is_blank. */
const seen = /[^\s\p{Cc}\p{Default_Ignorable_Code_Point}\u2800]/u;

export const isBlank = (words: string): boolean => !seen.test(words);

/**
 * The facts missing before a product can be listed. private.missing_facts is the same rule in SQL and
 * rejects the listing.
 */
export function listingGaps(facts: ListingFacts): ListingFact[] {
  return listingFacts.filter((fact) => {
    const value = facts[fact];
    return value === null || isBlank(String(value));
  });
}

export const gapWords = (gaps: readonly string[]): string =>
  gaps.map((gap) => words[gap as ListingFact] ?? gap).join(', ');
