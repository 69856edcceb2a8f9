import { z } from 'zod';
import type { ShopContext } from '#app/shop-context.ts';
import { categories } from '#domain/catalog/category.ts';
import type { Product } from '#domain/catalog/product.ts';
import { paiseFromRupees } from '#domain/money.ts';

const rupees = z.number().transform((value) => paiseFromRupees(value));

const ProductRow = z
  .object({
    Id: z.number(),
    Name: z.string(),
    Price: rupees,
    regular_price: rupees.nullable(),
    Image: z.string(),
    Category: z.enum(categories),
    isavailable: z.boolean(),
    hasSize: z.boolean(),
    Rating: z.number().nullable(),
    review_count: z.number(),
    offer_percent: z.number().nullable(),
  })
  .transform(
    (row): Product => ({
      id: row.Id,
      name: row.Name,
      pricePaise: row.Price,
      regularPricePaise: row.regular_price,
      image: row.Image,
      category: row.Category,
      available: row.isavailable,
      hasSize: row.hasSize,
      rating: row.Rating,
      reviewCount: row.review_count,
      offerPercent: row.offer_percent,
    }),
  );

/** What the home page offers: available now, and not Takeaway; best rated first. */
export async function loadHomeProducts({ read }: ShopContext): Promise<Product[]> {
  return z.array(ProductRow).parse(await read('home_products', {}));
}

const ShopFacts = z
  .object({
    name: z.string(),
    legal_name: z.string(),
    address: z.string(),
    fssai_number: z.string(),
    email: z.string(),
  })
  .transform((row) => ({
    name: row.name,
    legalName: row.legal_name,
    address: row.address,
    fssaiNumber: row.fssai_number,
    email: row.email,
  }));
export type ShopFacts = z.infer<typeof ShopFacts>;

export async function loadShopFacts({ read }: ShopContext): Promise<ShopFacts> {
  return ShopFacts.parse(await read('shop_facts', {}));
}
