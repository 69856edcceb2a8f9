/** The mark that food in India carries. Egg counts as non-veg. */
export const foodMarks = ['veg', 'non-veg'] as const;
export type FoodMark = (typeof foodMarks)[number];

export const foodMarkLabels: Record<FoodMark, string> = { veg: 'Vegetarian', 'non-veg': 'Non-vegetarian' };
