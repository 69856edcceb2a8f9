import { expect, test } from 'vitest';
import { gapWords, listingFacts, listingGaps, listingNeeds } from './listing-gaps.ts';
import { marginOf } from './margin.ts';
import { filesOfPicture, pictureNames } from './picture-names.ts';

test('a margin is price minus cost, and unknown without a cost', () => {
  expect(marginOf(32000, 14400)).toEqual({ paise: 17600, percent: 55 });
  expect(marginOf(10000, 12000)).toEqual({ paise: -2000, percent: -20 });
  expect(marginOf(10000, 0)).toEqual({ paise: 10000, percent: 100 });
  expect(marginOf(10000, null)).toBeNull();
});

test('tells what is missing before a product can be listed', () => {
  const nothing = {
    food_mark: '',
    ingredients: ' ',
    allergens: '\n',
    shelf_life_days: '',
    storage: '',
    weight_grams: null,
  };
  expect(gapWords(listingGaps(nothing))).toBe(
    'veg or non-veg, ingredients, allergens, shelf life, storage, net weight',
  );
  const all = {
    food_mark: 'veg',
    ingredients: 'Ghee',
    allergens: 'None',
    shelf_life_days: 3,
    storage: 'Cool',
    weight_grams: '500',
  };
  expect(listingGaps(all)).toEqual([]);
  expect(Object.keys(listingNeeds)).toEqual(listingFacts);
});

test.each([
  ['Kaju Katli – 500 g!', 'kaju-katli-500-g'],
  ['Crème Brûlée', 'creme-brulee'],
  ['लड्डू', 'sweet'],
  ['../../etc', 'etc'],
  ['x'.repeat(200), 'x'.repeat(60)],
])('a picture of %s is kept under a name that file systems like', (name, slug) => {
  expect(pictureNames(name, 'a1b2').map(({ path }) => path)).toEqual(
    [240, 480, 960].map((width) => `${slug}-a1b2-${width}.webp`),
  );
});

test('only uploaded pictures have files to remove', () => {
  const files = ['kaju-a1-240.webp', 'kaju-a1-480.webp', 'kaju-a1-960.webp'];
  expect(filesOfPicture('/storage/v1/object/public/products/kaju-a1-960.webp')).toEqual(files);
  expect(filesOfPicture('https://x.supabase.co/storage/v1/object/public/products/kaju-a1-960.webp')).toEqual(files);
  for (const image of [
    '',
    '/images/products/kaju-960.webp',
    '/storage/v1/object/public/banners/kaju-960.webp',
    '/storage/v1/object/public/products/../x-960.webp',
  ])
    expect(filesOfPicture(image)).toEqual([]);
});
