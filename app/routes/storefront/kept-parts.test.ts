import { createElement, type ReactElement, useId } from 'react';
import { renderToString } from 'react-dom/server';
import { StaticRouter } from 'react-router';
import { expect, test } from 'vitest';
import { ProductCard } from '#app/features/catalog/product-card.tsx';
import WaysIn from '#app/features/home/ways-in.tsx';
import PageFooter from '#app/features/navigation/page-footer.tsx';
import type { Product } from '#domain/catalog/product.ts';
import { paise } from '#domain/money.ts';
import HomeBelow from './home-below.tsx';
import type { StorefrontData } from './layout.tsx';

const product: Product = {
  id: 9,
  name: 'Besan Laddu <b>',
  pricePaise: paise(32_000),
  regularPricePaise: paise(35_000),
  image: '/images/products/besan-laddu-960.webp',
  category: 'Laddu',
  available: true,
  hasSize: true,
  rating: 4.5,
  reviewCount: 12,
  offerPercent: 10,
  gstPercent: 5,
  foodMark: 'veg',
};
const shop: StorefrontData['shop'] = {
  name: 'Mithaas',
  legalName: 'Mithaas Sweets LLP',
  address: '12 Linking Road, Mumbai',
  fssaiNumber: '11520011000123',
  gstin: '27AAPFU0939F1ZV',
  email: 'hello@example.com',
  whatsappNumber: '+919000000001',
  instagramUrl: 'https://instagram.com/mithaas',
  facebookUrl: 'https://facebook.com/mithaas',
  grievanceOfficer: 'Asha Rao',
  grievanceEmail: 'care@example.com',
  grievancePhone: '+919000000002',
  grievanceHours: '10 to 6',
  weeklyOff: [],
};
const config = { url: null, key: 'sb_publishable_x', signInProvider: 'github' as const };

const Numbered = () => createElement('i', { id: useId() });

/** On some page, with something before it that counts ids. */
function inPlace(part: ReactElement): string {
  const page = createElement('div', null, createElement(Numbered), createElement('section', null, part));
  const html = renderToString(createElement(StaticRouter, { location: '/shop?category=laddu' }, page));
  return html.slice(html.indexOf('<section>') + '<section>'.length, html.lastIndexOf('</section>'));
}
const alone = (part: ReactElement) => renderToString(createElement(StaticRouter, { location: '/' }, part));

test.each<[string, ReactElement]>([
  ['a card', createElement(ProductCard, { product, eager: false, onQuickAdd() {} })],
  [
    'the ways into the shop',
    createElement(WaysIn, {
      categories: [{ category: 'Laddu', image: product.image }],
      rating: { average: '4.6', count: 1200 },
      fssaiNumber: shop.fssaiNumber,
    }),
  ],
  ['the footer', createElement(PageFooter, { shop })],
  [
    'the lower half of the home page',
    createElement(HomeBelow, { combos: [{ ...product, description: 'Four' }], shop, config }),
  ],
])('%s can be kept as markup: it looks the same wherever it stands', (_, part) => {
  expect(alone(part).length).toBeGreaterThan(200);
  expect(inPlace(part)).toBe(alone(part));
});
