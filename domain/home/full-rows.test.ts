import { expect, test } from 'vitest';
import { cardsPerRow, countInFullRows } from './full-rows.ts';

test('up to 768 px the count is a multiple of 2, above a multiple of 3', () => {
  expect(cardsPerRow).toEqual({ narrow: 2, wide: 3 });
  expect([31, 32, 33].map((count) => countInFullRows(count, cardsPerRow.narrow))).toEqual([30, 32, 32]);
  expect([31, 32, 33].map((count) => countInFullRows(count, cardsPerRow.wide))).toEqual([30, 30, 33]);
});

test('a shop with less than a row of sweets still shows them', () => {
  expect([0, 1, 2].map((count) => countInFullRows(count, cardsPerRow.wide))).toEqual([0, 1, 2]);
});
