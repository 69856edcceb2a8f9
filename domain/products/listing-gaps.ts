export type ListingFacts = {
  ingredients: string;
  shelfLifeDays: string | number | null;
  storage: string;
  weight: string | number | null;
};

/** What is still missing before customers may see a product: the facts that food is sold with. */
export function listingGaps({ ingredients, shelfLifeDays, storage, weight }: ListingFacts): string[] {
  const isEmpty = (fact: string | number | null) => fact === null || String(fact).trim() === '';
  return [
    isEmpty(ingredients) && 'ingredients',
    isEmpty(shelfLifeDays) && 'shelf life',
    isEmpty(storage) && 'storage',
    isEmpty(weight) && 'net weight',
  ].filter((gap) => gap !== false);
}
