// Functions of schemas/20_console/24_boxes.sql. `seen` is the row’s updated_at.
import { defineFunction, moment } from '../contract.ts';
import { z } from '../z.ts';

const Size = z.object({
  id: z.number(),
  name: z.string(),
  places: z.number(),
  price_paise: z.number(),
  weight_grams: z.number(),
  is_listed: z.boolean(),
  /** Then it can be taken off the list, and not deleted. */
  was_ordered: z.boolean(),
  updated_at: moment,
});
export type BoxSizeRow = z.infer<typeof Size>;

const Sweet = z.object({
  product_id: z.number(),
  name: z.string(),
  category: z.string(),
  piece_grams: z.number(),
  piece_image: z.string(),
  image: z.string(),
  piece_paise: z.number(),
  /** Listed and sold by weight; others are not shown to customers. */
  is_offered: z.boolean(),
  is_available: z.boolean(),
  updated_at: moment,
});
export type BoxSweetRow = z.infer<typeof Sweet>;

export const readBoxes = defineFunction(
  'admin_read_boxes',
  {},
  z.object({
    sizes: z.array(Size),
    sweets: z.array(Sweet),
    /** Sweets sold by weight that are not among them yet. */
    others: z.array(z.object({ product_id: z.number(), name: z.string() })),
  }),
);

export const saveBoxSize = defineFunction(
  'admin_save_box_size',
  {
    name: z.string(),
    places: z.number(),
    price_paise: z.number(),
    weight_grams: z.number(),
    is_listed: z.boolean(),
    box_id: z.number().nullish(),
    seen: moment.nullish(),
  },
  z.object({ id: z.number(), updated_at: moment }),
);

export const deleteBoxSize = defineFunction(
  'admin_delete_box_size',
  { box_id: z.number(), seen: moment },
  z.object({ id: z.number() }),
);

export const saveBoxSweet = defineFunction(
  'admin_save_box_sweet',
  {
    product_id: z.number(),
    piece_grams: z.number(),
    piece_image: z.string().nullish(),
    seen: moment.nullish(),
  },
  z.object({ product_id: z.number(), updated_at: moment }),
);

export const removeBoxSweet = defineFunction(
  'admin_remove_box_sweet',
  { product_id: z.number(), seen: moment },
  z.object({ product_id: z.number() }),
);
