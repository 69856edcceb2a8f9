import { expect, test } from 'vitest';
import { compare, differenceFrom } from './comparison.ts';

test.each([
  [120, 100, 'up', '+20%'],
  [104, 100, 'up', '+4%'],
  [1043, 1000, 'up', '+4.3%'],
  [50, 200, 'down', '−75%'],
  [0, 200, 'down', '−100%'],
  [200, 200, 'same', 'no change'],
  [0, 0, 'same', 'no change'],
  [200, 0, 'up', 'none earlier'],
  [5000, 100, 'up', '50 times as much'],
  [-50, 0, 'down', 'less than before'],
  [-50, -200, 'up', 'more than before'],
  [50, -200, 'up', 'more than before'],
  [-200, -50, 'down', 'less than before'],
])('%i after %i is %s: %s', (now, before, direction, words) => {
  expect(compare(now, before)).toEqual({ direction, words });
});

const rupees = (value: number) => `₹${value}`;

test.each([
  [5, 2, 'up', '3 more than yesterday by now'],
  [3, 0, 'up', '3 more than yesterday by now'],
  [0, 2, 'down', '2 fewer than yesterday by now'],
  [2, 2, 'same', 'same as yesterday by now'],
  [0, 0, 'same', 'same as yesterday by now'],
])('%i orders after %i are %s: %s', (now, before, direction, words) => {
  const difference = differenceFrom(now, before, { format: String, than: 'yesterday by now', isCount: true });
  expect(difference).toEqual({ direction, words });
});

test.each([
  [500, 200, '₹300 more than last month'],
  [-50, 100, '₹150 less than last month'],
  [-50, -200, '₹150 more than last month'],
])('a profit of %i after %i is %s', (now, before, words) => {
  expect(differenceFrom(now, before, { format: rupees, than: 'last month' }).words).toBe(words);
});
