import type { ShopContext } from '#app/shop-context.ts';
import {
  goesWellWith,
  homePage,
  type ProductCard,
  popularProducts,
  productPage,
  productPageByName,
  shopPage,
  sitemapProducts,
} from '#contracts/catalogue.ts';
import { call, type ResultOf } from '#contracts/contract.ts';
import { searchProducts } from '#contracts/search.ts';
import type { Category } from '#domain/catalog/category.ts';
import type { Product, ProductDetails } from '#domain/catalog/product.ts';
import { ownSections, priceRange, type ShopView, sectionsOf } from '#domain/catalog/shop-view.ts';
import { paiseFromRupees } from '#domain/money.ts';
import { struckPaise } from '#domain/products/backed-offer.ts';

function productFrom(row: ProductCard): Product {
  const pricePaise = paiseFromRupees(row.Price);
  const regularPricePaise = row.regular_price === null ? null : paiseFromRupees(row.regular_price);
  return {
    id: row.Id,
    name: row.Name,
    pricePaise,
    regularPricePaise: struckPaise({ pricePaise, regularPricePaise }),
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

type HomeRows = ResultOf<typeof homePage>;

const slideFrom = (row: HomeRows['slides'][number]) => ({
  id: row.id,
  image: row.background_img,
  title: row.title,
  subtitle: row.subtitle,
  action: row.buttonaction,
  button: row.buttontitle,
});
export type Slide = ReturnType<typeof slideFrom>;

const comboFrom = (row: HomeRows['combos'][number]) => ({
  ...productFrom(row),
  combo: row.combo,
  description: row.Description,
});
export type Combo = ReturnType<typeof comboFrom>;

export type HomePage = { slides: Slide[]; products: Product[]; combos: Combo[] };

type MarkPopular = <P extends Product>(products: P[]) => P[];

/** Which products sell best is the same for all lists of a page. */
async function popularMarks({ read }: ShopContext): Promise<MarkPopular> {
  const ids = new Set(await call(read, popularProducts, {}));
  return (products) => products.map((product) => (ids.has(product.id) ? { ...product, isPopular: true } : product));
}

/** Slides, what is available and not Takeaway (best rated first), and the four combo packs. */
export async function loadHomePage(shop: ShopContext): Promise<HomePage> {
  const [page, mark] = await Promise.all([call(shop.read, homePage, {}), popularMarks(shop)]);
  return {
    slides: page.slides.map(slideFrom),
    products: mark(page.products.map(productFrom)),
    combos: page.combos.map(comboFrom),
  };
}

export type ShopSection = { category: string; total: number; products: Product[] };

export async function loadShopSections(shop: ShopContext, view: ShopView): Promise<ShopSection[]> {
  const { from, to } = priceRange(view.price);
  const args = {
    categories: [...sectionsOf(view)],
    min_price: from,
    max_price: to,
    sort: view.sort,
    per_section: view.shown,
  };
  const [sections, mark] = await Promise.all([call(shop.read, shopPage, args), popularMarks(shop)]);
  return sections.map((section) => ({ ...section, products: mark(section.products.map(productFrom)) }));
}

/** Every category with something in it, and the picture of its best rated product. */
export async function loadCategories({ read }: ShopContext): Promise<{ category: Category; image: string }[]> {
  const order = ['Laddu', 'Halwa', 'Chocolate', ownSections, 'Gift', 'Takeaway'];
  const { from, to } = priceRange(null);
  const args = { categories: order, min_price: from, max_price: to, sort: 'bs', per_section: 1 };
  const sections = await call(read, shopPage, args);
  return sections.flatMap(({ category, products: [first] }) =>
    first?.Image ? [{ category, image: first.Image }] : [],
  );
}

export type Found = { found: number; total: number; products: Product[]; nearest: Product[] };

/** Search results. Searches without a result are counted for the owner; the visitor does not wait for that. */
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
  const [{ found, total, products, nearest }, mark] = await Promise.all([
    call(shop.read, searchProducts, args),
    popularMarks(shop),
  ]);
  if (found === 0) shop.note('record_missed_search', { query: view.q });
  return { found, total, products: mark(products.map(productFrom)), nearest: mark(nearest.map(productFrom)) };
}

function detailsFrom(row: ResultOf<typeof productPage>): ProductDetails | null {
  if (!row) return null;
  return {
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
  };
}

/** null for an id that is not a number, too large, unknown or not for sale. */
export async function loadProduct({ read }: ShopContext, id: string): Promise<ProductDetails | null> {
  if (!/^[1-9]\d{0,14}$/.test(id)) return null;
  return detailsFrom(await call(read, productPage, { product_id: Number(id) }));
}

/** What is often bought with it, else more of its kind: up to four cards. */
export async function loadGoesWellWith({ read }: ShopContext, id: string): Promise<Product[]> {
  if (!/^[1-9]\d{0,14}$/.test(id)) return [];
  return ((await call(read, goesWellWith, { product_id: Number(id) })) ?? []).map(productFrom);
}

export async function loadProductByName({ read }: ShopContext, name: string): Promise<ProductDetails | null> {
  if (name.length > 200 || name.includes('\0')) return null;
  return detailsFrom(await call(read, productPageByName, { name }));
}

export type SitemapProduct = { id: number; changedAt: string };

/** Every listed product with the time of its last change. */
export async function loadSitemapProducts({ read }: ShopContext): Promise<SitemapProduct[]> {
  const rows = await call(read, sitemapProducts, {});
  return rows.map((row) => ({ id: row.Id, changedAt: new Date(row.updated_at).toISOString() }));
}
