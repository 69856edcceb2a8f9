import { expect, test } from 'vitest';
import {
  calendarDay,
  formatCalendarDay,
  formatDate,
  formatDay,
  formatHour,
  formatMoment,
  formatMonth,
  formatShortDay,
  formatStep,
  formatTime,
  formatWeekday,
  instantFrom,
} from './time.ts';

test.each([
  ['2026-11-16 04:01:39.93+00', '2026-11-16T04:01:39.930Z'],
  ['2026-11-16T04:01:39.930Z', '2026-11-16T04:01:39.930Z'],
  ['2026-11-16T04:01:39.123456+00:00', '2026-11-16T04:01:39.123Z'],
  ['2026-11-16 09:31:39+05:30', '2026-11-16T04:01:39.000Z'],
  ['2026-11-16 09:31:39+0530', '2026-11-16T04:01:39.000Z'],
  ['2026-11-15 23:01:39-05', '2026-11-16T04:01:39.000Z'],
  ['2026-11-16 04:01:39', '2026-11-16T04:01:39.000Z'],
  ['2026-11-16 04:01', '2026-11-16T04:01:00.000Z'],
  ['  2028-02-29 00:00:00+00 ', '2028-02-29T00:00:00.000Z'],
  ['0096-02-29 00:00:00+00', '0096-02-29T00:00:00.000Z'],
])('%s is one instant in every browser', (text, iso) => {
  expect(instantFrom(text)?.toISOString()).toBe(iso);
});

test.each([
  '',
  'yesterday',
  '2026-11-16',
  '2026-02-30 00:00:00+00',
  '2026-13-01 00:00:00+00',
  '2026-11-16 24:00:00+00',
])('%j is not a moment', (text) => {
  expect(instantFrom(text)).toBeNull();
});

test('a day is the day in India, also just before midnight in London', () => {
  expect(formatDay(new Date('2026-11-15T18:29:59Z'))).toBe('15 Nov 2026');
  expect(formatDay(new Date('2026-11-15T18:30:00Z'))).toBe('16 Nov 2026');
});

test('a moment is the clock in India', () => {
  expect(formatMoment(new Date('2026-11-15T18:30:00Z'))).toBe('16 Nov 2026, 12:00 am');
  expect(formatMoment(new Date('2026-11-16T04:01:39Z'))).toBe('16 Nov 2026, 9:31 am');
});

test('a step on the way names its weekday in India', () => {
  expect(formatWeekday(new Date('2026-11-15T18:30:00Z'))).toBe('Mon, 16 Nov');
  expect(formatStep(new Date('2026-11-16T04:01:39Z'))).toBe('Mon, 16 Nov, 9:31 am');
});

test('a calendar day is the same day everywhere', () => {
  expect(formatCalendarDay('2026-11-18')).toBe('Wed, 18 Nov');
  expect(formatCalendarDay('2027-01-01')).toBe('Fri, 1 Jan');
  for (const odd of ['', '2026-11', '2026-02-30', 'soon', '2026-11-18T00:00:00Z'])
    expect(formatCalendarDay(odd)).toBe('');
});

test('charts have little room for hours, days and months', () => {
  expect(formatHour('2026-11-16T03:30:00+00:00')).toBe('9 am');
  expect(formatShortDay('2026-11-16')).toBe('16 Nov');
  expect([formatDate('2026-11-06'), formatDate('2026-02-30')]).toEqual(['6 Nov 2026', '']);
  expect(formatMonth('2026-04-01')).toBe('Apr');
  expect([formatHour('x'), formatShortDay('x'), formatMonth('2026-13-01')]).toEqual(['', '', '']);
});

test('the calendar day is the one in India', () => {
  expect(calendarDay(new Date('2026-11-15T18:29:59Z'))).toBe('2026-11-15');
  expect(calendarDay(new Date('2026-11-15T18:30:00Z'))).toBe('2026-11-16');
});

test('the time of day is the one in India', () => {
  expect(formatTime(new Date('2026-11-15T18:30:00Z'))).toBe('12:00 am');
  expect(formatTime(new Date('2026-11-16T04:01:00Z'))).toBe('9:31 am');
});
