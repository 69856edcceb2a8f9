import { expect, test } from 'vitest';
import { gstPart, gstRateOf } from './expense.ts';

test.each([
  [11_800, 18, 1_800],
  [10_500, 5, 500],
  [2_150_000, 18, 327_966],
  [540_000, 0, 0],
  [1, 40, 0],
])('of %i paise with %i percent in them, %i are GST', (amount, percent, gst) => {
  expect(gstPart(amount, percent)).toBe(gst);
});

test('the rate is found again, and a typed part has none', () => {
  expect(gstRateOf(11_800, 1_800)).toBe(18);
  expect(gstRateOf(11_800, 0)).toBe(0);
  expect(gstRateOf(11_800, 1_799)).toBeNull();
});
