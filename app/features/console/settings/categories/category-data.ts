import { z } from 'zod';
import { isCategoryName } from '#domain/catalog/category.ts';
import { checkWith, text } from '../../inputs.ts';

export const CategoryList = z.array(
  z.object({
    id: z.number(),
    name: z.string(),
    colour: z.string().nullable(),
    is_fixed: z.boolean(),
    products: z.number(),
    updated_at: z.string(),
  }),
);
export type CategoryRow = z.infer<typeof CategoryList>[number];

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
