import { expect, test } from 'vitest';
import { formatCover, stockStatus } from './stock-status.ts';

test.each([
  [{ onHand: 0, reserved: 0, lowAt: 0 }, 'out'],
  [{ onHand: 5, reserved: 5, lowAt: 0 }, 'low'],
  [{ onHand: 5, reserved: 0, lowAt: 5 }, 'low'],
  [{ onHand: 9, reserved: 5, lowAt: 5 }, 'low'],
  [{ onHand: 6, reserved: 0, lowAt: 5 }, 'fine'],
  [{ onHand: 1, reserved: 0, lowAt: 0 }, 'fine'],
])('%j is %s', (level, standing) => {
  expect(stockStatus(level)).toBe(standing);
});

test.each([
  [null, 'no sales'],
  [0, 'none left'],
  [0.4, 'less than a day'],
  [1.9, '1 day'],
  [12.3, '12 days'],
  [400, '90+ days'],
])('%s days of cover are %s', (days, words) => {
  expect(formatCover(days)).toBe(words);
});
