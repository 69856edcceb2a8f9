import { createElement } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { createMemoryRouter, RouterProvider } from 'react-router';
import { expect, test } from 'vitest';
import type { Product } from '#domain/catalog/product.ts';
import { type ShopView, shopViewFrom } from '#domain/catalog/shop-view.ts';
import { paise } from '#domain/money.ts';
import { ShopSections, type ShopSectionsProps } from './shop-sections.tsx';

const product = (id: number): Product => ({
  id,
  name: `Laddu ${id}`,
  pricePaise: paise(32_000),
  regularPricePaise: null,
  image: '',
  category: 'Laddu',
  available: true,
  hasSize: true,
  rating: null,
  reviewCount: 0,
  offerPercent: 0,
  gstPercent: 5,
  foodMark: 'veg',
});
const laddus = (shown: number, total: number) => [
  { category: 'Laddu' as const, total, products: Array.from({ length: shown }, (_, index) => product(index + 1)) },
];

function rendered(view: ShopView, sections: ShopSectionsProps['sections']): string {
  const element = createElement(ShopSections, { view, sections, parts: { onQuickAdd() {}, onNotify() {} } });
  const router = createMemoryRouter([{ path: '*', element }], { initialEntries: ['/shop'] });
  return renderToStaticMarkup(createElement(RouterProvider, { router }));
}

test('after 48 products of a section a real link shows more, with the filters kept', () => {
  const html = rendered(shopViewFrom(new URLSearchParams('category=laddu&sort=l-h')), laddus(48, 60));
  expect(html).toContain('href="/shop?category=laddu&amp;sort=l-h&amp;shown=96"');
  expect(html).toContain('Show more');
});

test('when all are there, nothing more is offered', () => {
  expect(rendered(shopViewFrom(new URLSearchParams()), laddus(48, 48))).not.toContain('Show more');
});

test('beyond 480 the filters are recommended instead of an endless page', () => {
  const html = rendered(shopViewFrom(new URLSearchParams('shown=480')), laddus(3, 700));
  expect(html).not.toContain('Show more');
  expect(html).toContain('Showing the first 3.');
});

test('an empty shelf says so: with filters it offers to clear them, without it leads to the boxes', () => {
  const filtered = rendered(shopViewFrom(new URLSearchParams('tab=gifts&price=below-100')), []);
  expect(filtered).toContain('Nothing matches these filters.');
  expect(filtered).toContain('href="/shop?tab=gifts"');
  const plain = rendered(shopViewFrom(new URLSearchParams('tab=gifts')), [
    { category: 'Gift', total: 0, products: [] },
  ]);
  expect(plain).toContain('Nothing available here right now.');
  expect(plain).not.toContain('>Gift<');
});
