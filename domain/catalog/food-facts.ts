import { sizes } from '../cart/cart.ts';
import { formatCount, formatPaise, type Paise, paise } from '../money.ts';
import { type Contact, complaintContacts, type ShopFacts, sellerOf } from '../shop/shop-facts.ts';
import { foodMarkLabels } from './food-mark.ts';
import type { ProductDetails } from './product.ts';

/** One row of the table. `contacts` come after the value. */
export type FoodFact = { label: string; value: string; isStrong?: true; isMark?: true; contacts?: Contact[] };

/** The facts that law and buyers require, as far as the shop has entered them. Without `shop`: of the sweet alone. */
export function foodFacts(product: ProductDetails, shop?: ShopFacts): FoodFact[] {
  const { foodMark } = product;
  const facts: FoodFact[] = [
    { label: 'Veg or non-veg', value: foodMark ? foodMarkLabels[foodMark] : '', isMark: true },
    { label: 'Ingredients', value: product.ingredients },
    { label: 'Allergens', value: product.allergens, isStrong: true },
    { label: 'Shelf life', value: shelfLife(product.shelfLifeDays) },
    { label: 'Storage', value: product.storage },
    { label: 'Net weight', value: product.hasSize ? sizes.map(grams).join(' or ') : grams(product.weightGrams) },
    { label: 'Price per 100 g', value: `${formatPaise(paisePer100g(product))}${plusGst(product)}` },
    { label: 'Made by', value: product.maker || (shop ? sellerOf(shop) : '') },
    ...(shop ? sellerFacts(shop, product.maker !== '') : []),
  ];
  return facts.filter(({ value, contacts }) => value.trim() !== '' || contacts?.length);
}

function sellerFacts(shop: ShopFacts, isBoughtIn: boolean): FoodFact[] {
  return [
    { label: 'Sold by', value: isBoughtIn ? sellerOf(shop) : '' },
    { label: isBoughtIn ? 'FSSAI licence of the seller' : 'FSSAI licence', value: shop.fssaiNumber },
    { label: 'Complaints', value: shop.grievanceOfficer, contacts: complaintContacts(shop) },
  ];
}

/** Prices are without the tax that checkout adds: " + 5% GST", or nothing. */
export const plusGst = ({ gstPercent }: Pick<ProductDetails, 'gstPercent'>): string =>
  gstPercent > 0 ? ` + ${gstPercent}% GST` : '';

/** "1 day", "4 days"; empty where unknown. */
export const shelfLife = (days: number | null): string =>
  days === null ? '' : `${days} ${days === 1 ? 'day' : 'days'}`;

/** "15 days · Cool and dry, airtight"; empty where neither is known. */
export const freshness = ({ shelfLifeDays, storage }: Pick<ProductDetails, 'shelfLifeDays' | 'storage'>): string =>
  [shelfLife(shelfLifeDays), storage].filter((text) => text !== '').join(' · ');

export const paisePer100g = ({ pricePaise, weightGrams }: { pricePaise: Paise; weightGrams: number }): Paise =>
  paise(Math.round((pricePaise * 100) / weightGrams));

function grams(weight: number): string {
  return `${formatCount(weight)} g`;
}
