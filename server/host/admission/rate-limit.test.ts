import { expect, test } from 'vitest';
import { limitRate } from './rate-limit.ts';

test('an address has its burst, then its rate; another address has its own', () => {
  let now = 0;
  const isAllowed = limitRate({ burst: 2, perSecond: 10 }, () => now);
  expect(['a', 'a', 'a', 'b'].map(isAllowed)).toEqual([true, true, false, true]);
  now = 100;
  expect(['a', 'a'].map(isAllowed)).toEqual([true, false]);
  now = 10_000;
  expect(['a', 'a', 'a'].map(isAllowed)).toEqual([true, true, false]);
});
