import { expect, test } from 'vitest';
import {
  financialYearName,
  financialYearOf,
  firstAndLastDay,
  isMonth,
  monthName,
  monthShort,
  monthShortName,
  monthsUpTo,
} from './months.ts';

test('months have names and ends', () => {
  expect([monthName('2026-11'), monthShort('2027-02')]).toEqual(['November 2026', 'Feb']);
  expect(monthShortName('2026-11')).toBe('Nov 2026');
  expect(firstAndLastDay('2028-02')).toEqual({ from: '2028-02-01', to: '2028-02-29' });
  expect(firstAndLastDay('2026-12')).toEqual({ from: '2026-12-01', to: '2026-12-31' });
  expect(monthsUpTo('2026-02-28', 4)).toEqual(['2026-02', '2026-01', '2025-12', '2025-11']);
});

test.each([
  ['2026-11', true],
  ['2026-13', false],
  ['2026-00', false],
  ['', false],
  ['2026-11-01', false],
])('%j is a month: %s', (text, is) => {
  expect(isMonth(text)).toBe(is);
});

test('the financial year begins in April', () => {
  expect(['2026-03-31', '2026-04-01', '2027-01-01'].map(financialYearOf)).toEqual([2025, 2026, 2026]);
  expect([2026, 1999, 2099].map(financialYearName)).toEqual(['2026–27', '1999–00', '2099–00']);
});
