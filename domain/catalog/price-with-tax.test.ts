import { expect, test } from 'vitest';
import { paise } from '../money.ts';
import { inclGst, withTaxPaise } from './price-with-tax.ts';

test.each([
  [58_500, 5, 61_425],
  [32_000, 5, 33_600],
  // 0.5 paisa goes up, as the tax of an order is rounded.
  [10, 5, 11],
  [9, 5, 9],
  [100_00, 2.5, 102_50],
  [33_333, 12.25, 37_416],
  [58_500, 0, 58_500],
])('%i paise at %d%% cost %i with tax', (price, percent, withTax) => {
  expect(withTaxPaise(paise(price), percent)).toBe(withTax);
});

test('the price with tax is said in the shop’s words, and not where there is no tax', () => {
  expect(inclGst(paise(58_500), 5)).toBe('₹614.25 incl. GST');
  expect(inclGst(paise(58_500), 0)).toBeNull();
  expect(inclGst(paise(0), 5)).toBeNull();
});
