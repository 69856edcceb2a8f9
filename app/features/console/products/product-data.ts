import { z } from 'zod';
import type { Tone } from '#app/ui/panel.tsx';
import { foodMarks } from '#domain/catalog/food-mark.ts';
import { comboPacks } from '#domain/products/product-columns.ts';
import { isOfferBacked } from '#domain/products/true-offer.ts';
import { standingOf as stockStanding } from '#domain/stock/standing.ts';

export const ProductRow = z.object({
  id: z.number(),
  name: z.string(),
  category: z.string(),
  image: z.string(),
  price_paise: z.number(),
  regular_price_paise: z.number().nullable(),
  offer_percent: z.number().nullable(),
  gst_percent: z.number(),
  has_size: z.boolean(),
  is_listed: z.boolean(),
  is_available: z.boolean(),
  archived_at: z.string().nullable(),
  rating: z.number().nullable(),
  review_count: z.number(),
  on_hand: z.number(),
  reserved: z.number(),
  low_at: z.number(),
  unit_cost_paise: z.number().nullable(),
  updated_at: z.string(),
  food_mark: z.enum(foodMarks).nullable(),
  missing_facts: z.array(z.string()),
});
export type ProductRow = z.infer<typeof ProductRow>;

export const ProductList = z.object({
  rows: z.array(ProductRow),
  next: z.unknown(),
  count: z.number(),
  count_is_capped: z.boolean(),
});

export const ProductDraft = z.object({
  name: z.string(),
  description: z.string(),
  category: z.string(),
  image: z.string(),
  more_pictures: z.string(),
  taste: z.string(),
  travel: z.string(),
  price_paise: z.number(),
  regular_price_paise: z.number().nullable(),
  offer_percent: z.number().nullable(),
  gst_percent: z.number(),
  hsn: z.string(),
  has_size: z.boolean(),
  weight_grams: z.number(),
  food_mark: z.enum(foodMarks).nullable(),
  ingredients: z.string(),
  allergens: z.string(),
  shelf_life_days: z.number().nullable(),
  storage: z.string(),
  maker: z.string(),
  combo: z.enum(comboPacks).nullable(),
  is_listed: z.boolean(),
  is_archived: z.boolean(),
  unit_cost_paise: z.number().nullable(),
});
export type ProductDraft = z.infer<typeof ProductDraft>;

export const ProductAnswer = z.object({
  row: ProductRow,
  draft: ProductDraft,
  created_at: z.string(),
  costs: z.array(z.object({ valid_from: z.string(), unit_cost_paise: z.number() })),
  has_stock_history: z.boolean(),
  is_deletable: z.boolean(),
  waiting: z.number(),
});
export type ProductAnswer = z.infer<typeof ProductAnswer>;

export const SavedProduct = z.object({ id: z.number(), updated_at: z.string(), unused_images: z.array(z.string()) });

/** Where a product stands, in the words of the console. */
export function standingOf(row: ProductRow): { label: string; tone: Tone } {
  if (row.archived_at) return { label: 'Archived', tone: 'calm' };
  if (!row.is_listed) return { label: 'Not listed', tone: 'calm' };
  return row.is_available ? { label: 'Available', tone: 'good' } : { label: 'Out of stock', tone: 'bad' };
}

export const isLow = (row: ProductRow): boolean =>
  stockStanding({ onHand: row.on_hand, reserved: row.reserved, lowAt: row.low_at }) === 'low';

export const isBacked = (row: ProductRow): boolean =>
  isOfferBacked({
    pricePaise: row.price_paise,
    regularPricePaise: row.regular_price_paise,
    offerPercent: row.offer_percent,
  });

export const unitOf = (row: Pick<ProductRow, 'has_size'>): string => (row.has_size ? '500 g' : 'piece');
