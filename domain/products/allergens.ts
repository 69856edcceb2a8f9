/** Whether somebody wrote that there are none, which is a fact of its own. */
export const isFreeOfAllergens = (allergens: string): boolean =>
  /^(none|nil|no allergens?|no known allergens?)\.?$/i.test(allergens.trim());
