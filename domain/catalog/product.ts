import type { Paise } from '../money.ts';
import type { Category } from './category.ts';
import type { FoodMark } from './food-mark.ts';

/** What a card in a list shows. */
export type Product = {
  id: number;
  name: string;
  /** Per 500 g for products with sizes, else per piece or pack. */
  pricePaise: Paise;
  /** Struck through beside the price; null where that would show less than 1% off. */
  regularPricePaise: Paise | null;
  image: string;
  category: Category;
  available: boolean;
  hasSize: boolean;
  rating: number | null;
  reviewCount: number;
  offerPercent: number | null;
  /** Comes on top of the price. */
  gstPercent: number;
  /** null: the shop has not said it. */
  foodMark: FoodMark | null;
  /** In the most orders of the last 30 days. */
  isPopular?: true;
};

/** A picture of a product, and what it shows, for people who cannot see it. */
export type ProductPicture = { image: string; alt: string };

/** What the product page and the modal show besides. */
export type ProductDetails = Product & {
  description: string;
  weightGrams: number;
  ingredients: string;
  allergens: string;
  shelfLifeDays: number | null;
  storage: string;
  /** Name and address; empty: the shop itself. */
  maker: string;
  /** What it tastes like, and how it travels; may be empty. */
  taste: string;
  travel: string;
  /** After the first one, which is `image`. */
  pictures: ProductPicture[];
};
