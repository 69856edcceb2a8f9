import { z } from 'zod';
import type { ShopContext } from '#app/shop-context.ts';
import { categories } from '#domain/catalog/category.ts';
import type { Product } from '#domain/catalog/product.ts';
import { paiseFromRupees } from '#domain/money.ts';

// numeric columns arrive as numbers or as strings, depending on the backend and the value.
const rupees = z.union([z.number(), z.string()]).transform((value) => paiseFromRupees(value));

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
    Rating: z.coerce.number().nullable(),
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

const cardColumns = 'Id,Name,Price,regular_price,Image,Category,isavailable,hasSize,Rating,review_count,offer_percent';

/** What the home page offers: available now, and not Takeaway; best rated first. */
export async function loadHomeProducts({ query }: ShopContext): Promise<Product[]> {
  const rows = await query(
    `Products?select=${cardColumns}&isavailable=is.true&Category=neq.Takeaway&order=Rating.desc.nullslast,Id.asc&limit=48`,
  );
  return z.array(ProductRow).parse(rows);
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

export async function loadShopFacts({ query }: ShopContext): Promise<ShopFacts> {
  const rows = await query('shop_settings?select=name,legal_name,address,fssai_number,email');
  return z.tuple([ShopFacts]).parse(rows)[0];
}
