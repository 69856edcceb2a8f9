import { z } from '#contracts/z.ts';
import { isCategoryName } from '#domain/catalog/category.ts';
import { checkWith, text } from '../../form/inputs.ts';

/** The colour is empty for the default. SQL has the last word on names that are taken. */
export const checkCategory = checkWith(
  z.object({
    name: text({ min: 2, max: 40 })
      .transform((name) => name.replace(/\s+/g, ' '))
      .refine(isCategoryName, 'Use letters, digits, spaces and signs like & or -. “All” is taken.'),
    colour: z.string().transform((colour) => colour || null),
  }),
);

export const productCount = (count: number): string =>
  count === 0 ? 'no products' : `${count.toLocaleString('en-IN')} ${count === 1 ? 'product' : 'products'}`;
