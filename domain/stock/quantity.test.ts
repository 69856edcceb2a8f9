import { expect, test } from 'vitest';
import { formatChange, formatStock, stockFrom, stockText, stockValuePaise } from './quantity.ts';

const byWeight = { hasSize: true };
const byPiece = { hasSize: false };

test('stock reads in kilograms and pieces', () => {
  expect(formatStock(12_500, byWeight)).toBe('12.5 kg');
  expect(formatStock(250, byWeight)).toBe('0.25 kg');
  expect(formatStock(1, byPiece)).toBe('1 piece');
  expect(formatStock(150_000, byPiece)).toBe('1,50,000 pieces');
  expect(formatChange(-1500, byWeight)).toBe('−1.5 kg');
  expect(formatChange(3, byPiece)).toBe('+3 pieces');
});

test.each([
  ['12.5', 12_500],
  ['0.001', 1],
  ['4.35', 4350],
  ['3.', 3000],
  ['1,000', 1_000_000],
])('%s kg is %i g, exactly', (text, grams) => {
  expect(stockFrom(text, byWeight)).toBe(grams);
});

test.each(['', 'x', '-1', '1.2345', '1e3', '12 kg'])('"%s" is no weight', (text) => {
  expect(stockFrom(text, byWeight)).toBeNull();
});

test('pieces are whole', () => {
  expect(stockFrom('24', byPiece)).toBe(24);
  expect(stockFrom('24.0', byPiece)).toBe(24);
  expect(stockFrom('24.5', byPiece)).toBeNull();
});

test('what is shown in a field reads back as the same stock', () => {
  for (const units of [0, 1, 250, 999, 12_345, 999_999]) {
    expect(stockFrom(stockText(units, byWeight), byWeight)).toBe(units);
    expect(stockFrom(stockText(units, byPiece), byPiece)).toBe(units);
  }
});

test('value follows the cost of 500 g or a piece, and is unknown with it', () => {
  expect(stockValuePaise(1250, 29_250, byWeight)).toBe(73_125);
  expect(stockValuePaise(3, 3450, byPiece)).toBe(10_350);
  expect(stockValuePaise(3, null, byPiece)).toBeNull();
});
