import { expect, test } from 'vitest';
import { nextDue, type Repetition } from './recurrence.ts';

test.each<[from: string, repeats: Repetition, days: string[]]>([
  ['2027-01-31', 'monthly', ['2027-02-28', '2027-03-31', '2027-04-30', '2027-05-31']],
  ['2027-01-30', 'monthly', ['2027-02-28', '2027-03-30', '2027-04-30']],
  ['2028-01-31', 'monthly', ['2028-02-29', '2028-03-31']],
  ['2026-12-03', 'monthly', ['2027-01-03', '2027-02-03']],
  ['2026-11-30', 'quarterly', ['2027-02-28', '2027-05-30', '2027-08-30', '2027-11-30']],
  ['2028-02-29', 'yearly', ['2029-02-28', '2030-02-28', '2031-02-28', '2032-02-29']],
  ['2026-12-28', 'weekly', ['2027-01-04', '2027-01-11']],
])('what began on %s and repeats %s is due on %j', (from, repeats, days) => {
  let after = from;
  for (const day of days) {
    expect(nextDue(from, repeats, after)).toBe(day);
    after = day;
  }
});

test('what was paid late or early is due on its own day again', () => {
  expect(nextDue('2027-01-31', 'monthly', '2027-03-02')).toBe('2027-03-31');
  expect(nextDue('2027-01-31', 'monthly', '2027-02-27')).toBe('2027-02-28');
  expect(nextDue('2027-01-04', 'weekly', '2027-01-12')).toBe('2027-01-18');
  expect(nextDue('2027-01-31', 'quarterly', '2027-12-31')).toBe('2028-01-31');
});

test('a series does not begin before its first day, and never means never', () => {
  expect(nextDue('2027-01-31', 'monthly', '2026-06-01')).toBe('2027-01-31');
  expect(nextDue('2027-01-31', 'never', '2027-06-01')).toBeNull();
});
