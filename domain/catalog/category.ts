/** The specification's five: their names, colours and sections stay. */
export const fixedCategories = ['Halwa', 'Chocolate', 'Laddu', 'Takeaway', 'Gift'] as const;

/** One of the five, or one that the owner added. */
export type Category = string;

export type OwnCategory = {
  name: Category;
  /** #rrggbb; null: the default, white. */
  colour: string | null;
};

/** As public.categories has it: the name stands in addresses, CSS strings and files. */
export function isCategoryName(name: string): boolean {
  const length = [...name].length;
  return (
    length >= 2 &&
    length <= 40 &&
    name === name.trim() &&
    !/[\p{Cc}"\\<>{}]|\s\s/u.test(name) &&
    !['all', 'category'].includes(name.toLowerCase())
  );
}
