// Functions of schemas/03_catalogue: what the pages of the storefront show, one call for each page.
import { foodMarks } from '../../domain/catalog/food-mark.ts';
import { at, defineFunction, moment, nothing } from './contract.ts';
import { Greeting } from './greetings.ts';
import { z } from './z.ts';

/** What a card in a list shows; prices in rupees. */
export const ProductCard = z.object({
  Id: z.number(),
  Name: z.string(),
  Price: z.number(),
  regular_price: z.number().nullable(),
  Image: z.string(),
  Category: z.string(),
  isavailable: z.boolean(),
  hasSize: z.boolean(),
  Rating: z.number().nullable(),
  review_count: z.number(),
  offer_percent: z.number().nullable(),
  gst_percent: z.number(),
  food_mark: z.enum(foodMarks).nullable(),
});
export type ProductCard = z.infer<typeof ProductCard>;

const Slide = z.object({
  id: z.number(),
  background_img: z.string(),
  title: z.string(),
  subtitle: z.string(),
  buttonaction: z.string(),
  buttontitle: z.string(),
});
const Combo = ProductCard.extend({
  combo: z.enum(['halwa', 'chocolate', 'laddu', 'family']),
  Description: z.string(),
});

/** Slides, what is available and not Takeaway (best rated first), and the combo packs. */
export const homePage = defineFunction(
  'home_page',
  {},
  z.object({ slides: z.array(Slide), products: z.array(ProductCard), combos: z.array(Combo) }),
);

/** `*` among the categories stands for those that the owner added. */
export const shopPage = defineFunction(
  'shop_page',
  {
    categories: z.array(z.string()),
    min_price: z.number(),
    max_price: z.number(),
    sort: z.string(),
    per_section: z.number(),
  },
  z.array(z.object({ category: z.string(), total: z.number(), products: z.array(ProductCard) })),
);

const ProductDetails = ProductCard.extend({
  Description: z.string(),
  weight_grams: z.number(),
  ingredients: z.string(),
  allergens: z.string(),
  shelf_life_days: z.number().nullable(),
  storage: z.string(),
  maker: z.string(),
  taste: z.string(),
  travel: z.string(),
  pictures: z.array(z.object({ image: z.string(), alt: z.string() })),
});

/** null: unknown or not for sale. */
export const productPage = defineFunction('product_page', { product_id: z.number() }, ProductDetails.nullish());
export const productPageByName = defineFunction('product_page_by_name', { name: z.string() }, ProductDetails.nullish());
export const productIdByName = defineFunction('product_id_by_name', { name: z.string() }, z.number().nullish());

/** Products often bought together, else of the same category: up to four cards. */
export const goesWellWith = defineFunction(
  'goes_well_with',
  { product_id: z.number() },
  z.array(ProductCard).nullish(),
);

export const sitemapProducts = defineFunction(
  'sitemap_products',
  {},
  z.array(z.object({ Id: z.number(), updated_at: moment })),
);

const Shop = z.object({
  name: z.string(),
  legal_name: z.string(),
  address: z.string(),
  fssai_number: z.string(),
  gstin: z.string(),
  email: z.string(),
  whatsapp_number: z.string(),
  instagram_url: z.string(),
  facebook_url: z.string(),
  grievance_officer: z.string(),
  grievance_email: z.string(),
  grievance_phone: z.string(),
  grievance_hours: z.string(),
  weekly_off: z.array(z.number()),
});

/** What surrounds every page. */
export const pageFrame = defineFunction(
  'page_frame',
  { at },
  z.object({
    shop: Shop,
    greeting: Greeting.nullable(),
    /** Those that the owner added, in their order. */
    categories: z.array(z.object({ name: z.string(), colour: z.string().nullable() })),
    /** When another greeting begins or this one ends; null: never. */
    changes_at: moment.nullable(),
  }),
);

export const productReviews = defineFunction(
  'product_reviews',
  { product_id: z.number(), before_id: z.number().optional(), max_rows: z.number().optional() },
  z.array(
    z.object({
      id: z.number(),
      content: z.string(),
      rating: z.number(),
      created_at: moment,
      /** null until it is edited. */
      updated_at: moment.nullable(),
      user_id: z.string(),
      author_name: z.string().nullable(),
      author_avatar_url: z.string().nullable(),
      is_verified: z.boolean(),
    }),
  ),
);

/** Ids of what sells best. */
export const popularProducts = defineFunction('popular_products', {}, z.array(z.number()));
export const refreshPopularProducts = defineFunction('refresh_popular_products', { at }, nothing);
/** True when the pairs were counted. */
export const countProductPairs = defineFunction('count_product_pairs', { at }, z.boolean());
