import type { ProductDraft } from '#contracts/console/products.ts';
import { z } from '#contracts/z.ts';
import { foodMarks } from '#domain/catalog/food-mark.ts';
import { rupeesInput } from '#domain/money.ts';
import { backedOfferPercent } from '#domain/products/backed-offer.ts';
import { listingGaps, listingNeeds } from '#domain/products/listing-gaps.ts';
import { comboPacks } from '#domain/products/product-columns.ts';
import { checkWith, choice, decimal, optional, rupees, text, whole } from '../form/inputs.ts';

/** A product as it stands in the form. The names are the draft's, so that a refusal finds its field. */
export type ProductValues = {
  name: string;
  description: string;
  category: string;
  image: string;
  /** The others, as in a product file. */
  more_pictures: string;
  taste: string;
  travel: string;
  price_paise: string;
  regular_price_paise: string;
  gst_percent: string;
  hsn: string;
  has_size: string;
  weight_grams: string;
  food_mark: string;
  ingredients: string;
  allergens: string;
  shelf_life_days: string;
  storage: string;
  maker: string;
  combo: string;
  is_listed: boolean;
  unit_cost_paise: string;
};

export const emptyValues: ProductValues = {
  name: '',
  description: '',
  category: '',
  image: '',
  more_pictures: '',
  taste: '',
  travel: '',
  price_paise: '',
  regular_price_paise: '',
  gst_percent: '5',
  hsn: '2106',
  has_size: 'weight',
  weight_grams: '500',
  food_mark: '',
  ingredients: '',
  allergens: '',
  shelf_life_days: '',
  storage: '',
  maker: '',
  combo: '',
  is_listed: false,
  unit_cost_paise: '',
};

const number = (value: number | null) => (value === null ? '' : String(value));
const money = (paise: number | null) => (paise === null ? '' : rupeesInput(paise));

export function valuesOf(draft: ProductDraft): ProductValues {
  return {
    name: draft.name,
    description: draft.description,
    category: draft.category,
    image: draft.image,
    more_pictures: draft.more_pictures,
    taste: draft.taste,
    travel: draft.travel,
    price_paise: money(draft.price_paise),
    regular_price_paise: money(draft.regular_price_paise),
    gst_percent: number(draft.gst_percent),
    hsn: draft.hsn,
    has_size: draft.has_size ? 'weight' : 'piece',
    weight_grams: number(draft.weight_grams),
    food_mark: draft.food_mark ?? '',
    ingredients: draft.ingredients,
    allergens: draft.allergens,
    shelf_life_days: number(draft.shelf_life_days),
    storage: draft.storage,
    maker: draft.maker,
    combo: draft.combo ?? '',
    is_listed: draft.is_listed,
    unit_cost_paise: money(draft.unit_cost_paise),
  };
}

const price = rupees({ min: 1, max: 100_000 });

const Fields = z.object({
  name: text({ min: 1, max: 120 }),
  description: text({ max: 4000 }),
  category: z.string().min(1, 'Choose one.'),
  image: z.string(),
  more_pictures: z.string(),
  taste: text({ max: 300 }),
  travel: text({ max: 300 }),
  price_paise: price,
  regular_price_paise: optional(rupees({ min: 1, max: 200_000 })),
  gst_percent: decimal({ min: 0, max: 40, places: 2 }),
  hsn: z
    .string()
    .trim()
    .regex(/^\d{4,8}$/, 'Enter 4 to 8 digits.'),
  has_size: choice(['weight', 'piece']).transform((how) => how === 'weight'),
  weight_grams: z.string(),
  food_mark: z.enum(['', ...foodMarks]).transform((mark) => mark || null),
  ingredients: text({ max: 2000 }),
  allergens: text({ max: 500 }),
  shelf_life_days: optional(whole({ min: 1, max: 730 })),
  storage: text({ max: 300 }),
  maker: text({ max: 300 }),
  combo: z.enum(['', ...comboPacks]).transform((pack) => pack || null),
  is_listed: z.boolean(),
  unit_cost_paise: optional(rupees({ min: 0, max: 100_000 })),
});

const weight = whole({ min: 1, max: 30_000 });

/** What the form is saved as, or what is wrong with it and where. */
export const Product = Fields.transform((fields, context) => {
  const refuse = (field: keyof ProductValues, message: string) =>
    context.addIssue({ code: 'custom', path: [field], message });
  if (fields.regular_price_paise !== null && fields.regular_price_paise <= fields.price_paise)
    refuse('regular_price_paise', 'Must be higher than the price, or left blank.');
  // The weight is asked for below, listed or not.
  if (fields.is_listed) for (const gap of listingGaps({ ...fields, weight_grams: 500 })) refuse(gap, listingNeeds[gap]);
  const grams = fields.has_size ? { success: true as const, data: 500 } : weight.safeParse(fields.weight_grams);
  if (!grams.success) refuse('weight_grams', grams.error.issues[0]?.message ?? 'Enter a whole number.');
  return {
    ...fields,
    weight_grams: grams.success ? grams.data : 0,
    offer_percent: backedOfferPercent({
      pricePaise: fields.price_paise,
      regularPricePaise: fields.regular_price_paise,
    }),
  };
});
export type ProductToSave = z.infer<typeof Product>;

export const checkProduct: (values: ProductValues) => ReturnType<ReturnType<typeof checkWith<typeof Product>>> =
  checkWith(Product);
