import { expect, test } from 'vitest';
import { pricePoints } from './price-line.ts';

const box = { width: 100, height: 40 };

test('the dearest is at the top, the cheapest at the bottom, time from left to right', () => {
  expect(pricePoints([585, 604, 592.6], box)).toEqual([
    { x: 0, y: 40 },
    { x: 50, y: 0 },
    { x: 100, y: expect.closeTo(24) },
  ]);
});

test('a price that never changed runs through the middle', () => {
  expect(pricePoints([50, 50], box).map(({ y }) => y)).toEqual([20, 20]);
  expect(pricePoints([50], box)).toEqual([{ x: 0, y: 20 }]);
});
