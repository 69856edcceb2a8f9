import { expect, test } from 'vitest';
import { paise } from '../money.ts';
import { formatPurchased, productCostPaise, stockUnits, thousandthsFrom, unitsFor } from './units.ts';

test('what we resell is bought as it is sold; anything else in any unit', () => {
  expect(unitsFor({ hasSize: true })).toEqual(['kg', 'g']);
  expect(unitsFor({ hasSize: false })).toEqual(['piece']);
  expect(unitsFor(null)).toEqual(['kg', 'g', 'l', 'piece']);
});

test.each([
  ['12.5', 12_500],
  ['0.001', 1],
  ['4.35', 4350],
  ['1,500', 1_500_000],
  [' 2 ', 2000],
  ['100000', 100_000_000],
])('"%s" is %i thousandths, exactly', (text, thousandths) => {
  expect(thousandthsFrom(text)).toBe(thousandths);
});

test.each(['', 'five', '-1', '1.2345', '1e3', '.5', '100000.001', '12 kg'])('"%s" is no quantity', (text) => {
  expect(thousandthsFrom(text)).toBeNull();
});

test('kilograms become grams and pieces stay whole', () => {
  expect(stockUnits(12_345, 'kg')).toBe(12_345);
  expect(stockUnits(250_000, 'g')).toBe(250);
  expect(stockUnits(250_500, 'g')).toBeNull();
  expect(stockUnits(24_000, 'piece')).toBe(24);
  expect(stockUnits(24_500, 'piece')).toBeNull();
});

test('a price becomes the cost of 500 g or of a piece', () => {
  expect(productCostPaise(paise(58_500), 'kg')).toBe(29_250);
  expect(productCostPaise(paise(58_501), 'kg')).toBe(29_251);
  expect(productCostPaise(paise(265), 'g')).toBe(132_500);
  expect(productCostPaise(paise(3450), 'piece')).toBe(3450);
});

test('quantities read as people say them', () => {
  expect(formatPurchased(12.5, 'kg')).toBe('12.5 kg');
  expect(formatPurchased(1, 'piece')).toBe('1 piece');
  expect(formatPurchased(150000, 'piece')).toBe('1,50,000 pieces');
  expect(formatPurchased(2, 'l')).toBe('2 litres');
});
