import { z } from 'zod';
import type { ShopContext } from '#app/shop-context.ts';
import type { Category } from '#domain/catalog/category.ts';
import { foodMarks } from '#domain/catalog/food-mark.ts';
import type { Product, ProductDetails } from '#domain/catalog/product.ts';
import { ownSections, priceRange, type ShopView, sectionsOf } from '#domain/catalog/shop-view.ts';
import { paiseFromRupees } from '#domain/money.ts';
import { struckPaise } from '#domain/products/true-offer.ts';

const rupees = z.number().transform((value) => paiseFromRupees(value));

const CardRow = z.object({
  Id: z.number(),
  Name: z.string(),
  Price: rupees,
  regular_price: rupees.nullable(),
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

const Card = CardRow.transform(productFrom);

function productFrom(row: z.output<typeof CardRow>): Product {
  return {
    id: row.Id,
    name: row.Name,
    pricePaise: row.Price,
    regularPricePaise: struckPaise({ pricePaise: row.Price, regularPricePaise: row.regular_price }),
    image: row.Image,
    category: row.Category,
    available: row.isavailable,
    hasSize: row.hasSize,
    rating: row.Rating,
    reviewCount: row.review_count,
    offerPercent: row.offer_percent,
    gstPercent: row.gst_percent,
    foodMark: row.food_mark,
  };
}

const Slide = z
  .object({
    id: z.number(),
    background_img: z.string(),
    title: z.string(),
    subtitle: z.string(),
    buttonaction: z.string(),
    buttontitle: z.string(),
  })
  .transform((row) => ({
    id: row.id,
    image: row.background_img,
    title: row.title,
    subtitle: row.subtitle,
    action: row.buttonaction,
    button: row.buttontitle,
  }));
export type Slide = z.output<typeof Slide>;

const Combo = CardRow.extend({
  combo: z.enum(['halwa', 'chocolate', 'laddu', 'family']),
  Description: z.string(),
}).transform((row) => ({
  ...productFrom(row),
  combo: row.combo,
  description: row.Description,
}));
export type Combo = z.output<typeof Combo>;

const HomePage = z.object({ slides: z.array(Slide), products: z.array(Card), combos: z.array(Combo) });
export type HomePage = z.output<typeof HomePage>;

type MarkPopular = <P extends Product>(products: P[]) => P[];

/** Which products sell best is the same for all lists of a page. */
async function popularMarks({ read }: ShopContext): Promise<MarkPopular> {
  const ids = new Set(z.array(z.number()).parse(await read('popular_products', {})));
  return (products) => products.map((product) => (ids.has(product.id) ? { ...product, isPopular: true } : product));
}

/** Slides, what is available and not Takeaway (best rated first), and the four combo packs. */
export async function loadHomePage(shop: ShopContext): Promise<HomePage> {
  const [page, mark] = await Promise.all([shop.read('home_page', {}), popularMarks(shop)]);
  const { products, ...rest } = HomePage.parse(page);
  return { ...rest, products: mark(products) };
}

const Section = z.object({ category: z.string(), total: z.number(), products: z.array(Card) });
export type ShopSection = z.output<typeof Section>;

export async function loadShopSections(shop: ShopContext, view: ShopView): Promise<ShopSection[]> {
  const { from, to } = priceRange(view.price);
  const args = {
    categories: [...sectionsOf(view)],
    min_price: from,
    max_price: to,
    sort: view.sort,
    per_section: view.shown,
  };
  const [sections, mark] = await Promise.all([shop.read('shop_page', args), popularMarks(shop)]);
  return z
    .array(Section)
    .parse(sections)
    .map((section) => ({ ...section, products: mark(section.products) }));
}

/** Every category with something in it, and the picture of its best rated product. */
export async function loadCategories({ read }: ShopContext): Promise<{ category: Category; image: string }[]> {
  const order = ['Laddu', 'Halwa', 'Chocolate', ownSections, 'Gift', 'Takeaway'];
  const { from, to } = priceRange(null);
  const args = { categories: order, min_price: from, max_price: to, sort: 'bs', per_section: 1 };
  const sections = z.array(Section).parse(await read('shop_page', args));
  return sections.flatMap(({ category, products: [first] }) =>
    first?.image ? [{ category, image: first.image }] : [],
  );
}

const Found = z.object({
  found: z.number(),
  total: z.number(),
  products: z.array(Card),
  nearest: z.array(Card),
});
export type Found = z.output<typeof Found>;

/** What fits the words somebody typed. What nobody can find is counted for the owner, without anybody waiting for it. */
export async function loadSearch(shop: ShopContext, view: ShopView & { q: string }): Promise<Found> {
  const { from, to } = priceRange(view.price);
  const args = {
    query: view.q,
    most: view.shown,
    min_price: from,
    max_price: to,
    sort: view.sort,
    category: view.category === 'all' ? null : view.category,
  };
  const [result, mark] = await Promise.all([shop.read('search_products', args), popularMarks(shop)]);
  const found = Found.parse(result);
  if (found.found === 0) shop.note('note_missed_search', { query: view.q });
  return { ...found, products: mark(found.products), nearest: mark(found.nearest) };
}

const Details = CardRow.extend({
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
}).transform(
  (row): ProductDetails => ({
    ...productFrom(row),
    description: row.Description,
    weightGrams: row.weight_grams,
    ingredients: row.ingredients,
    allergens: row.allergens,
    shelfLifeDays: row.shelf_life_days,
    storage: row.storage,
    maker: row.maker,
    taste: row.taste,
    travel: row.travel,
    pictures: row.pictures,
  }),
);

/** null for an id that is not a number, too large, unknown or not for sale. */
export async function loadProduct({ read }: ShopContext, id: string): Promise<ProductDetails | null> {
  if (!/^[1-9]\d{0,14}$/.test(id)) return null;
  return Details.nullable().parse((await read('product_page', { product_id: Number(id) })) ?? null);
}

/** What is often bought with it, else more of its kind: up to four cards. */
export async function loadGoesWellWith({ read }: ShopContext, id: string): Promise<Product[]> {
  if (!/^[1-9]\d{0,14}$/.test(id)) return [];
  return z.array(Card).parse((await read('goes_well_with', { product_id: Number(id) })) ?? []);
}

export async function loadProductByName({ read }: ShopContext, name: string): Promise<ProductDetails | null> {
  if (name.length > 200 || name.includes('\0')) return null;
  return Details.nullable().parse((await read('product_page_by_name', { name })) ?? null);
}

const SitemapProduct = z
  .object({ Id: z.number(), updated_at: z.string() })
  .transform((row) => ({ id: row.Id, changedAt: new Date(row.updated_at).toISOString() }));

/** Every product that is listed, and when somebody last changed it. */
export async function loadSitemapProducts({ read }: ShopContext): Promise<z.output<typeof SitemapProduct>[]> {
  return z.array(SitemapProduct).parse(await read('sitemap_products', {}));
}
