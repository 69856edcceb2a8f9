import { sizes } from '../cart/cart.ts';
import { formatPaise, paise } from '../money.ts';
import type { ProductDetails } from './product.ts';

export type FoodFact = { label: string; value: string };

/** What the law and a careful buyer want to know, as far as the shop has said it. */
export function foodFacts(product: ProductDetails): FoodFact[] {
  const days = product.shelfLifeDays;
  return [
    { label: 'Ingredients', value: product.ingredients },
    { label: 'Allergens', value: product.allergens },
    { label: 'Shelf life', value: days === null ? '' : `${days} ${days === 1 ? 'day' : 'days'}` },
    { label: 'Storage', value: product.storage },
    { label: 'Net weight', value: product.hasSize ? sizes.map(grams).join(' or ') : grams(product.weightGrams) },
    {
      label: 'Price per 100 g',
      value: formatPaise(paise(Math.round((product.pricePaise * 100) / product.weightGrams))),
    },
  ].filter(({ value }) => value.trim() !== '');
}

function grams(weight: number): string {
  return `${weight.toLocaleString('en-IN')} g`;
}
