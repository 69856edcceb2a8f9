import { paise } from '../money.ts';
import type { BoxPage } from './box.ts';

/** What box_page() returns. */
export type BoxRows = {
  sizes: { id: number; name: string; places: number; price_paise: number; weight_grams: number }[];
  sweets: {
    product_id: number;
    name: string;
    category: string;
    price_paise: number;
    gst_percent: number;
    piece_grams: number;
    image: string;
    piece_image: string;
    food_mark: 'veg' | 'non-veg' | null;
    allergens: string;
    shelf_life_days: number | null;
    is_available: boolean;
  }[];
};

export function boxPageFrom({ sizes, sweets }: BoxRows): BoxPage {
  return {
    sizes: sizes.map(({ id, name, places, price_paise, weight_grams }) => ({
      id,
      name,
      places,
      pricePaise: paise(price_paise),
      weightGrams: weight_grams,
    })),
    sweets: sweets.map((row) => ({
      productId: row.product_id,
      name: row.name,
      category: row.category,
      pricePaise: paise(row.price_paise),
      gstPercent: row.gst_percent,
      pieceGrams: row.piece_grams,
      image: row.image,
      pieceImage: row.piece_image,
      foodMark: row.food_mark,
      allergens: row.allergens,
      shelfLifeDays: row.shelf_life_days,
      isAvailable: row.is_available,
    })),
  };
}
