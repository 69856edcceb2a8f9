import { expect, test } from 'vitest';
import { paise } from '../money.ts';
import type { ShopFacts } from '../shop/shop-facts.ts';
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
  foodMark: 'veg',
  description: 'Roasted </script> slowly.',
  weightGrams: 500,
  gstPercent: 5,
  ingredients: 'Gram flour, ghee',
  allergens: 'Milk',
  shelfLifeDays: 1,
  storage: '',
  maker: '',
  taste: '',
  travel: '',
  pictures: [],
};
const shop: ShopFacts = {
  name: 'Mithaas',
  legalName: 'Mithaas Sweets Private Limited',
  address: '17 Ranade Road,\nMumbai 400028',
  fssaiNumber: '10000000000001',
  gstin: '27AAAAA0000A1Z2',
  email: 'hello@mithaas.example',
  whatsappNumber: '+919000000000',
  instagramUrl: '',
  facebookUrl: '',
  grievanceOfficer: 'Nandini Kamat',
  grievanceEmail: 'grievance@mithaas.example',
  grievancePhone: '',
  grievanceHours: '',
};
const place = { siteUrl: 'https://mithaas.example', shopName: 'Mithaas' };

test('unknown facts are left out, the others are formatted for people', () => {
  expect(foodFacts(laddu)).toEqual([
    { label: 'Veg or non-veg', value: 'Vegetarian', isMark: true },
    { label: 'Ingredients', value: 'Gram flour, ghee' },
    { label: 'Allergens', value: 'Milk', isStrong: true },
    { label: 'Shelf life', value: '1 day' },
    { label: 'Net weight', value: '500 g or 1,000 g' },
    { label: 'Price per 100 g', value: '₹64 + 5% GST' },
  ]);
});

test('a box by the piece names its own weight, and its price per 100 g to the paisa', () => {
  const facts = foodFacts({ ...laddu, hasSize: false, weightGrams: 900, pricePaise: paise(79_950), shelfLifeDays: 4 });
  expect(facts.slice(3)).toEqual([
    { label: 'Shelf life', value: '4 days' },
    { label: 'Net weight', value: '900 g' },
    { label: 'Price per 100 g', value: '₹88.83 + 5% GST' },
  ]);
});

test('the price per 100 g says which tax comes on top, wherever it is shown', () => {
  const price = (...of: Parameters<typeof foodFacts>) =>
    foodFacts(...of).find(({ label }) => label === 'Price per 100 g');
  expect(price(laddu, shop)?.value).toBe('₹64 + 5% GST');
  expect(price({ ...laddu, gstPercent: 0 }, shop)?.value).toBe('₹64');
  expect(price(laddu)?.value).toBe('₹64 + 5% GST');
});

test('the shop says who made it, with which licence, and where complaints go', () => {
  expect(foodFacts(laddu, shop).slice(6)).toEqual([
    { label: 'Made by', value: 'Mithaas Sweets Private Limited, 17 Ranade Road, Mumbai 400028' },
    { label: 'FSSAI licence', value: '10000000000001' },
    {
      label: 'Complaints',
      value: 'Nandini Kamat',
      contacts: [
        { text: 'grievance@mithaas.example', href: 'mailto:grievance@mithaas.example' },
        { text: '+91 90000 00000', href: 'tel:+919000000000' },
      ],
    },
  ]);
});

test('what is bought in names its maker, and the shop as the seller', () => {
  const facts = foodFacts({ ...laddu, foodMark: 'non-veg', maker: 'Satpura Cacao Works, Nagpur' }, shop);
  expect(facts[0]).toEqual({ label: 'Veg or non-veg', value: 'Non-vegetarian', isMark: true });
  expect(facts.slice(6, 9).map(({ label, value }) => [label, value])).toEqual([
    ['Made by', 'Satpura Cacao Works, Nagpur'],
    ['Sold by', 'Mithaas Sweets Private Limited, 17 Ranade Road, Mumbai 400028'],
    ['FSSAI licence of the seller', '10000000000001'],
  ]);
});

test('a shop without details claims nothing', () => {
  const bare = Object.fromEntries(Object.keys(shop).map((name) => [name, ''])) as ShopFacts;
  expect(foodFacts({ ...laddu, foodMark: null }, { ...bare, name: 'Mithaas' }).map(({ label }) => label)).toEqual([
    'Ingredients',
    'Allergens',
    'Shelf life',
    'Net weight',
    'Price per 100 g',
    'Made by',
  ]);
});

test('search engines get the facts of the food, its maker and the price per 100 g', () => {
  expect(productJsonLd({ ...laddu, maker: 'Satpura Cacao Works' }, place)).toMatchObject({
    manufacturer: { '@type': 'Organization', name: 'Satpura Cacao Works' },
    additionalProperty: [
      { '@type': 'PropertyValue', name: 'Veg or non-veg', value: 'Vegetarian' },
      { '@type': 'PropertyValue', name: 'Ingredients', value: 'Gram flour, ghee' },
      { '@type': 'PropertyValue', name: 'Allergens', value: 'Milk' },
      { '@type': 'PropertyValue', name: 'Shelf life', value: '1 day' },
    ],
    offers: { priceSpecification: { price: '67.20', referenceQuantity: { value: 100, unitCode: 'GRM' } } },
  });
});

test('search engines get price, currency, availability and rating', () => {
  expect(productJsonLd(laddu, place)).toMatchObject({
    '@type': 'Product',
    url: 'https://mithaas.example/product/9',
    image: 'https://mithaas.example/images/products/besan-laddu-960.webp',
    offers: { price: '336.00', priceCurrency: 'INR', availability: 'https://schema.org/InStock' },
    aggregateRating: { ratingValue: 4.75, reviewCount: 8, bestRating: 5 },
  });
});

test('no rating is claimed without reviews, and nothing out of stock is offered as in stock', () => {
  const facts = productJsonLd({ ...laddu, rating: null, reviewCount: 0, available: false, image: '' }, place);
  expect(facts).not.toHaveProperty('aggregateRating');
  expect(facts).not.toHaveProperty('image');
  expect(facts.offers.availability).toBe('https://schema.org/OutOfStock');
});
