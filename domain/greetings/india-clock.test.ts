import { expect, test } from 'vitest';
import { fromIndiaClock, isIndianMidnight, startOfIndianDay, toIndiaClock } from './india-clock.ts';

const midnight = Date.parse('2026-11-07T18:30:00Z');

test('a time typed in India is one instant, and comes back as it was typed', () => {
  expect(fromIndiaClock('2026-11-08T00:00')).toBe(midnight);
  expect(toIndiaClock(midnight)).toBe('2026-11-08T00:00');
});

test('a year that is typed digit by digit stays as it is typed', () => {
  for (const typed of ['0002-11-08T10:00', '0020-11-08T10:00', '0202-11-08T10:00'])
    expect(toIndiaClock(fromIndiaClock(typed) ?? 0)).toBe(typed);
});

test.each(['', '2026-11-08', '2026-02-30T10:00', '2026-11-08T24:00', '2026-11-08 10:00', 'soon'])(
  '%j is no time',
  (typed) => {
    expect(fromIndiaClock(typed)).toBeNull();
  },
);

test('days begin at midnight in India', () => {
  expect(startOfIndianDay(midnight + 5)).toBe(midnight);
  expect(startOfIndianDay(midnight - 1)).toBe(midnight - 86_400_000);
  expect([isIndianMidnight(midnight), isIndianMidnight(midnight + 60_000)]).toEqual([true, false]);
});
