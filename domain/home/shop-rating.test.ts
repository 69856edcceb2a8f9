import { expect, test } from 'vitest';
import { shopRating } from './shop-rating.ts';

test('each review counts once, whichever product it is of', () => {
  const products = [
    { rating: 5, reviewCount: 30 },
    { rating: 3, reviewCount: 10 },
    { rating: null, reviewCount: 0 },
  ];
  expect(shopRating(products)).toEqual({ average: '4.5', count: 40 });
});

test('a handful of reviews is not a rating of the shop', () => {
  expect(shopRating([{ rating: 5, reviewCount: 19 }])).toBeNull();
  expect(shopRating([])).toBeNull();
});
