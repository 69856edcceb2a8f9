import { describe, expect, test } from 'vitest';
import {
  formatCount,
  formatPaise,
  formatPaiseColumn,
  formatPaiseShort,
  formatWholeRupees,
  paise,
  paiseFromRupees,
  plainRupees,
  rupeesInput,
} from './money.ts';

describe('money as people in India read it', () => {
  test.each([
    [0, '₹0'],
    [1, '₹0.01'],
    [50, '₹0.50'],
    [100, '₹1'],
    [129_950, '₹1,299.50'],
    [10_000_000, '₹1,00,000'],
    [1_234_567_890, '₹1,23,45,678.90'],
    [-4_000, '-₹40'],
  ])('%i paise is %s', (amount, text) => {
    expect(formatPaise(paise(amount))).toBe(text);
  });

  test('is what Intl makes of it, from one paisa to hundreds of crores', () => {
    const rupees = { style: 'currency', currency: 'INR' } as const;
    const whole = new Intl.NumberFormat('en-IN', { ...rupees, maximumFractionDigits: 0 });
    const exact = new Intl.NumberFormat('en-IN', rupees);
    const count = new Intl.NumberFormat('en-IN');
    for (let amount = 1; amount < 1e12; amount = Math.ceil(amount * 1.07)) {
      expect(formatCount(amount)).toBe(count.format(amount));
      for (const each of [amount, -amount, amount * 100])
        expect(formatPaise(paise(each))).toBe((each % 100 === 0 ? whole : exact).format(each / 100));
    }
    expect(formatCount(0)).toBe('0');
  });
});

test.each([
  [0, '₹0'],
  [-1, '₹0'],
  [85_000, '₹850'],
  [85_050, '₹850.5'],
  [99_994, '₹999.9'],
  [99_999, '₹1k'],
  [100_000, '₹1k'],
  [1_250_000, '₹12.5k'],
  [9_994_900, '₹99.9k'],
  [9_996_000, '₹1 lakh'],
  [12_345_600, '₹1.2 lakh'],
  [-50_000_000, '-₹5 lakh'],
  [999_600_000, '₹1 crore'],
  [1_250_000_000_000, '₹1,250 crore'],
])('%i paise is %s where there is little room', (amount, text) => {
  expect(formatPaiseShort(amount)).toBe(text);
});

test.each([
  [0, '₹0', '0.00', '0', '0.00'],
  [4_000, '₹40', '40.00', '40', '40.00'],
  [129_950, '₹1,300', '1,299.50', '1299.50', '1299.50'],
  [-129_949, '-₹1,299', '-1,299.49', '-1299.49', '-1299.49'],
  [12_345_678, '₹1,23,457', '1,23,456.78', '123456.78', '123456.78'],
])('%i paise are %s in whole rupees, %s in a column, %s in a field and %s for machines', (amount, ...texts) => {
  const formats = [formatWholeRupees, formatPaiseColumn, rupeesInput, plainRupees];
  expect(formats.map((format) => format(amount))).toEqual(texts);
});

test('an amount that is no whole number of paise is not shown as if it were', () => {
  for (const format of [formatPaise, formatPaiseColumn, rupeesInput, plainRupees])
    expect(() => format(12.5)).toThrow(RangeError);
});

describe('from rupees', () => {
  test.each([
    ['1299.50', 129_950],
    ['1299.5', 129_950],
    ['40', 4_000],
    ['0.07', 7],
    ['0.10', 10],
    [0.1 + 0.7, null],
    [19.99, 1_999],
    [1.1, 110],
    [4.35, 435],
    ['1299.500', 129_950],
    ['-12.34', -1_234],
    [' 40 ', 4_000],
    ['90071992547409.91', 9_007_199_254_740_991],
  ])('%s', (rupees, amount) => {
    if (amount === null) expect(() => paiseFromRupees(rupees)).toThrow(RangeError);
    else expect(paiseFromRupees(rupees)).toBe(amount);
  });

  test('every paisa of the first thousand rupees comes back exactly, as text and as number', () => {
    for (let amount = 0; amount <= 100_000; amount += 1) {
      const text = `${Math.floor(amount / 100)}.${String(amount % 100).padStart(2, '0')}`;
      if (paiseFromRupees(text) !== amount || paiseFromRupees(Number(text)) !== amount) expect.fail(text);
    }
  });

  test.each([
    '',
    ' ',
    'abc',
    '1,299',
    '1.234',
    '0.005',
    '1e3',
    '.5',
    '5.',
    '--1',
    '+1',
    'NaN',
    'Infinity',
    '१०',
    '0x10',
    '90071992547409.92',
  ])('never guesses what "%s" means', (text) => {
    expect(() => paiseFromRupees(text)).toThrow(RangeError);
  });

  test.each([Number.NaN, Number.POSITIVE_INFINITY, 1e21, 0.001])('nor %s', (number) => {
    expect(() => paiseFromRupees(number)).toThrow(RangeError);
  });
});

test.each([0.5, Number.NaN, Number.POSITIVE_INFINITY, 2 ** 53])('%s is not a whole number of paise', (amount) => {
  expect(() => paise(amount)).toThrow(RangeError);
});

test('nothing is never minus nothing', () => {
  expect(Object.is(paiseFromRupees('-0'), 0)).toBe(true);
  expect(formatPaise(paiseFromRupees('-0.00'))).toBe('₹0');
});
