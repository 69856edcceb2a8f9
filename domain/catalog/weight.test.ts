import { expect, test } from 'vitest';
import { formatAmounts, formatGrams, formatPieces } from './weight.ts';

test.each([
  [500, '500 g'],
  [1000, '1 kg'],
  [12_500, '12.5 kg'],
  [1_234_567, '1,234.57 kg'],
])('%i grams are %s', (grams, words) => {
  expect(formatGrams(grams)).toBe(words);
});

test('pieces are counted in words', () => {
  expect([formatPieces(1), formatPieces(1200)]).toEqual(['1 piece', '1,200 pieces']);
});

test('a quantity says what there is of it', () => {
  expect(formatAmounts({ grams: 1500, pieces: 0 })).toBe('1.5 kg');
  expect(formatAmounts({ grams: 500, pieces: 2 })).toBe('500 g and 2 pieces');
  expect(formatAmounts({ grams: 0, pieces: 0 })).toBe('none');
});
