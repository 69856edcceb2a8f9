import { expect, test } from 'vitest';
import { paise } from '../money.ts';
import { foodFacts } from './food-facts.ts';
import type { ProductDetails } from './product.ts';
import { productJsonLd } from './product-json-ld.ts';

const laddu: ProductDetails = {
  id: 9,
  name: 'Besan Laddu',
  pricePaise: paise(32_000),
  regularPricePaise: null,
  image: '/images/products/besan-laddu-960.webp',
  category: 'Laddu',
  available: true,
  hasSize: true,
  rating: 4.75,
  reviewCount: 8,
  offerPercent: 0,
  description: 'Roasted </script> slowly.',
  weightGrams: 500,
  ingredients: 'Gram flour, ghee',
  allergens: 'Milk',
  shelfLifeDays: 1,
  storage: '',
};
const place = { siteUrl: 'https://mithaas.example', shopName: 'Mithaas' };

test('facts that the shop has not said are left out, the others are written for people', () => {
  expect(foodFacts(laddu)).toEqual([
    { label: 'Ingredients', value: 'Gram flour, ghee' },
    { label: 'Allergens', value: 'Milk' },
    { label: 'Shelf life', value: '1 day' },
    { label: 'Net weight', value: '500 g or 1,000 g' },
    { label: 'Price per 100 g', value: '₹64' },
  ]);
});

test('a box by the piece names its own weight, and its price per 100 g to the paisa', () => {
  const facts = foodFacts({ ...laddu, hasSize: false, weightGrams: 900, pricePaise: paise(79_950), shelfLifeDays: 4 });
  expect(facts.slice(2)).toEqual([
    { label: 'Shelf life', value: '4 days' },
    { label: 'Net weight', value: '900 g' },
    { label: 'Price per 100 g', value: '₹88.83' },
  ]);
});

test('search engines get price, currency, availability and rating', () => {
  expect(productJsonLd(laddu, place)).toMatchObject({
    '@type': 'Product',
    url: 'https://mithaas.example/product/9',
    image: 'https://mithaas.example/images/products/besan-laddu-960.webp',
    offers: { price: '320.00', priceCurrency: 'INR', availability: 'https://schema.org/InStock' },
    aggregateRating: { ratingValue: 4.75, reviewCount: 8, bestRating: 5 },
  });
});

test('no rating is claimed without reviews, and nothing out of stock is offered as in stock', () => {
  const facts = productJsonLd({ ...laddu, rating: null, reviewCount: 0, available: false, image: '' }, place);
  expect(facts).not.toHaveProperty('aggregateRating');
  expect(facts).not.toHaveProperty('image');
  expect(facts.offers.availability).toBe('https://schema.org/OutOfStock');
});
