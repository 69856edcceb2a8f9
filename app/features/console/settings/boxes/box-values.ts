import type { BoxSizeRow, BoxSweetRow } from '#contracts/console/boxes.ts';
import { z } from '#contracts/z.ts';
import { rupeesInput } from '#domain/money.ts';
import { checkWith, rupees, text, whole } from '../../form/inputs.ts';

export type SizeValues = {
  name: string;
  places: string;
  price_paise: string;
  weight_grams: string;
  is_listed: boolean;
};

export const sizeValues = (size: BoxSizeRow | null): SizeValues => ({
  name: size?.name ?? '',
  places: String(size?.places ?? 12),
  price_paise: rupeesInput(size?.price_paise ?? 0),
  weight_grams: String(size?.weight_grams ?? 0),
  is_listed: size?.is_listed ?? true,
});

export const checkSize = checkWith(
  z.object({
    name: text({ min: 2, max: 60 }),
    places: whole({ min: 2, max: 48 }),
    price_paise: rupees({ min: 0, max: 10_000 }),
    weight_grams: whole({ min: 0, max: 5000 }),
    is_listed: z.boolean(),
  }),
);

export type SweetValues = { product_id: string; piece_grams: string; piece_image: string };

export const sweetValues = (sweet: BoxSweetRow | null): SweetValues => ({
  product_id: sweet ? String(sweet.product_id) : '',
  piece_grams: sweet ? String(sweet.piece_grams) : '',
  piece_image: sweet?.piece_image ?? '',
});

export const checkSweet = checkWith(
  z.object({
    product_id: z.string().min(1, 'Choose a product.').transform(Number),
    piece_grams: whole({ min: 1, max: 500 }),
    piece_image: z
      .string()
      .trim()
      .max(500, 'At most 500 characters.')
      .regex(/^(\/[^/\\\s][^\\\s]*|https:\/\/[^\\\s]+)?$/, 'An address that begins with / or https://.'),
  }),
);
