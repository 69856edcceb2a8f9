import { expect, test } from 'vitest';
import { amountInWords } from './amount-in-words.ts';

test.each([
  [0, 'Rupees zero only'],
  [1, 'Paisa one only'],
  [50, 'Paise fifty only'],
  [100, 'Rupee one only'],
  [101, 'Rupee one and paisa one only'],
  [11_00, 'Rupees eleven only'],
  [20_00, 'Rupees twenty only'],
  [99_99, 'Rupees ninety-nine and paise ninety-nine only'],
  [100_00, 'Rupees one hundred only'],
  [100_50, 'Rupees one hundred and paise fifty only'],
  [119_00, 'Rupees one hundred nineteen only'],
  [1_000_00, 'Rupees one thousand only'],
  [4_975_00, 'Rupees four thousand nine hundred seventy-five only'],
  [10_001_05, 'Rupees ten thousand one and paise five only'],
  [99_999_00, 'Rupees ninety-nine thousand nine hundred ninety-nine only'],
  [1_00_000_00, 'Rupees one lakh only'],
  [1_00_500_50, 'Rupees one lakh five hundred and paise fifty only'],
  [12_34_567_00, 'Rupees twelve lakh thirty-four thousand five hundred sixty-seven only'],
  [1_00_00_000_00, 'Rupees one crore only'],
  [
    99_99_99_999_99,
    'Rupees ninety-nine crore ninety-nine lakh ninety-nine thousand nine hundred ninety-nine and paise ninety-nine only',
  ],
  [100_00_00_000_00, 'Rupees one hundred crore only'],
])('%i paise are written: %s', (paise, words) => {
  expect(amountInWords(paise)).toBe(words);
});

test.each([-1, 0.5, Number.NaN, Number.POSITIVE_INFINITY])('%d is no amount', (paise) => {
  expect(() => amountInWords(paise)).toThrow(RangeError);
});
