import { createElement } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { expect, test } from 'vitest';
import type { ProductDetails } from '#domain/catalog/product.ts';
import { paise } from '#domain/money.ts';
import { PurchaseOptions } from './purchase-options.tsx';

const katli: ProductDetails = {
  id: 9,
  name: 'Kaju Katli',
  pricePaise: paise(58_500),
  regularPricePaise: paise(65_000),
  image: '',
  category: 'Gift',
  available: true,
  hasSize: true,
  rating: null,
  reviewCount: 0,
  offerPercent: null,
  foodMark: 'veg',
  description: '',
  weightGrams: 500,
  gstPercent: 5,
  ingredients: '',
  allergens: '',
  shelfLifeDays: null,
  storage: '',
  maker: '',
  taste: '',
  travel: '',
  pictures: [],
};

test('the price of one is said once, with what it was and what it comes to with tax', () => {
  const options = { minQuantity: 1, addToCart: () => {}, buyNow: async () => {} } as const;
  const text = renderToStaticMarkup(createElement(PurchaseOptions, { product: katli, ...options }))
    .replaceAll(/<[^>]*>/g, '')
    .replaceAll(/\s+/g, ' ');
  expect(text).toContain('₹585instead of ₹650₹614.25 incl. GSTper 500 g');
  expect(text.match(/₹585/g)).toHaveLength(1);
});
