import { expect, test } from 'vitest';
import { compare } from './comparison.ts';

test.each([
  [120, 100, 'up', '+20 %'],
  [104, 100, 'up', '+4 %'],
  [1043, 1000, 'up', '+4.3 %'],
  [50, 200, 'down', '−75 %'],
  [0, 200, 'down', '−100 %'],
  [200, 200, 'same', 'as before'],
  [0, 0, 'same', 'as before'],
  [200, 0, 'up', 'none before'],
  [5000, 100, 'up', '50 times as much'],
  [-50, 0, 'down', 'less than before'],
  [-50, -200, 'up', 'more than before'],
  [50, -200, 'up', 'more than before'],
  [-200, -50, 'down', 'less than before'],
])('%i after %i is %s: %s', (now, before, direction, words) => {
  expect(compare(now, before)).toEqual({ direction, words });
});
