// Functions of schemas/03_catalogue/08_boxes.sql: boxes that customers fill themselves.
import { foodMarks } from '../../domain/catalog/food-mark.ts';
import { defineFunction } from './contract.ts';
import { z } from './z.ts';

/** Sizes, smallest first, and the sweets that fit, the most popular first; amounts in paise. */
export const boxPage = defineFunction(
  'box_page',
  {},
  z.object({
    sizes: z.array(
      z.object({
        id: z.number(),
        name: z.string(),
        places: z.number(),
        price_paise: z.number(),
        weight_grams: z.number(),
      }),
    ),
    sweets: z.array(
      z.object({
        product_id: z.number(),
        name: z.string(),
        category: z.string(),
        price_paise: z.number(),
        gst_percent: z.number(),
        piece_grams: z.number(),
        image: z.string(),
        piece_image: z.string(),
        food_mark: z.enum(foodMarks).nullable(),
        allergens: z.string(),
        shelf_life_days: z.number().nullable(),
        is_available: z.boolean(),
      }),
    ),
  }),
);
