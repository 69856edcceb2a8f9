import { describe, expect, test } from 'vitest';
import {
  allCategories,
  isFiltered,
  linkedPriceFilters,
  nextShown,
  offeredPrices,
  ownSections,
  priceFilters,
  priceRange,
  type ShopView,
  sectionsOf,
  shopAddress,
  shopSorts,
  shopTabs,
  shopViewFrom,
} from './shop-view.ts';

const viewOf = (query: string) => shopViewFrom(new URLSearchParams(query));
const everything: ShopView = { q: null, tab: 'box', category: 'all', sort: 'bs', price: null, shown: 48 };

test('without a query: tab box, category all, sort best selling, any price, 48 a section', () => {
  expect(viewOf('')).toEqual(everything);
});

test('the tabs are Box, Gifts and Takeaway; Box has Chocolate, Laddu and Halwa in this order', () => {
  expect(shopTabs.map((tab) => [tab, sectionsOf(viewOf(`tab=${tab}`))])).toEqual([
    ['box', ['Chocolate', 'Laddu', 'Halwa', ownSections]],
    ['gifts', ['Gift']],
    ['takeaway', ['Takeaway']],
  ]);
});

test('a category, in any case, brings its tab with it', () => {
  expect(viewOf('category=HALWA&tab=gifts')).toMatchObject({ tab: 'box', category: 'Halwa' });
  expect(viewOf('category=gift')).toMatchObject({ tab: 'gifts', category: 'Gift' });
  expect(sectionsOf(viewOf('category=laddu'))).toEqual(['Laddu']);
});

test('categories of the owner follow in the Box tab', () => {
  const own = ['Barfi', 'Dry fruits'];
  const view = (query: string) => shopViewFrom(new URLSearchParams(query), own);
  expect(sectionsOf(view('category=barfi'))).toEqual(['Barfi']);
  expect(view('category=dry+FRUITS&tab=takeaway')).toMatchObject({ tab: 'box', category: 'Dry fruits' });
  expect(shopAddress(view('category=dry+fruits'))).toBe('/shop?category=dry+fruits');
  expect(viewOf('category=barfi')).toEqual(everything);
  expect(allCategories(own)).toEqual(['Chocolate', 'Laddu', 'Halwa', 'Barfi', 'Dry fruits', 'Gift', 'Takeaway']);
});

test('the sorts are bs, l-h and h-l', () => {
  expect(shopSorts).toEqual(['bs', 'l-h', 'h-l']);
  expect(viewOf('sort=l-h').sort).toBe('l-h');
});

test('"below" goes up to and includes its limit, "above" begins after it', () => {
  expect(priceFilters.map(priceRange)).toEqual([
    { from: 0, to: 100 },
    { from: 0, to: 200 },
    { from: 0, to: 300 },
    { from: 0, to: 400 },
    { from: 400, to: 100_000_000 },
  ]);
  expect(priceRange(null)).toEqual({ from: 0, to: 100_000_000 });
});

test('a price that only links have is offered while it is chosen, and stands in its place', () => {
  const { price } = viewOf('price=below-500');
  expect(priceRange(price)).toEqual({ from: 0, to: 500 });
  expect(offeredPrices({ price }).slice(-2)).toEqual(['below-500', 'above-400']);
  expect(offeredPrices(viewOf('price=below-400'))).toEqual(priceFilters);
});

test('unknown values in the address count as missing', () => {
  const odd = [
    'tab=Box',
    'tab=🍬',
    'category=constructor',
    'sort=__proto__',
    'price=below-1',
    `tab=${'x'.repeat(10_000)}`,
  ];
  for (const query of odd) expect(viewOf(query)).toEqual(everything);
});

describe('how many are shown', () => {
  test('are multiples of 48, at most 480', () => {
    const shown = ['0', '-5', '49', '96', '1e9', 'Infinity', 'NaN', 'all', ''].map(
      (text) => viewOf(`shown=${text}`).shown,
    );
    expect(shown).toEqual([48, 48, 96, 96, 480, 480, 48, 48, 48]);
  });

  test('grow by 48 while there is more, and stop at the most', () => {
    expect(nextShown(everything, 48)).toBeNull();
    expect(nextShown(everything, 49)).toBe(96);
    expect(nextShown({ ...everything, shown: 480 }, 1000)).toBeNull();
  });
});

test('every view survives the way through its address', () => {
  for (const category of ['all', 'Chocolate', 'Gift', 'Takeaway'] as const)
    for (const tab of shopTabs)
      for (const sort of shopSorts)
        for (const price of [null, ...priceFilters, ...linkedPriceFilters]) {
          const view = viewOf(new URL(shopAddress({ tab, category, sort, price, shown: 96 }), 'http://shop').search);
          expect(view).toMatchObject({ category, sort, price, shown: 96, ...(category === 'all' ? { tab } : {}) });
        }
});

test('addresses are short: defaults are left out', () => {
  expect(shopAddress(everything)).toBe('/shop');
  expect(shopAddress({ ...everything, tab: 'gifts', category: 'Gift' })).toBe('/shop?category=gift');
});

test('a search keeps its filters, best match first unless another sort is chosen', () => {
  expect(viewOf('q=besan+ladoo')).toEqual({ ...everything, q: 'besan ladoo', sort: 'fit' });
  expect(viewOf('q=ladoo&sort=bs').sort).toBe('bs');
  for (const query of ['?q=ladoo', '?q=ladoo&sort=bs', '?q=ladoo&category=gift&sort=l-h&price=below-300', '?q=%25_%26'])
    expect(shopAddress(viewOf(query))).toBe(`/shop${query}`);
  expect(shopAddress({ ...viewOf('q=ladoo'), q: null })).toBe('/shop');
});

test('an empty search is the plain shop', () => {
  for (const query of ['q=', 'q=%20%20', 'q=%00%01']) expect(viewOf(query)).toEqual(everything);
});

test('sorting is no filter: it hides nothing', () => {
  expect([viewOf('sort=h-l'), viewOf('price=below-100'), viewOf('category=laddu')].map(isFiltered)).toEqual([
    false,
    true,
    true,
  ]);
});
