import fc from 'fast-check';
import { expect, test } from 'vitest';
import { holds } from '../tests/support/properties.ts';
import { financialYearOf, firstAndLastDay, monthsUpTo } from './expenses/months.ts';
import { nextDue, repetitions } from './expenses/recurrence.ts';
import { fromIndiaClock, isIndianMidnight, startOfIndianDay, toIndiaClock } from './greetings/india-clock.ts';
import * as time from './time.ts';
import { calendarDay, formatCalendarDay, instantFrom } from './time.ts';

const instant = fc.date({ min: new Date('1970-01-02'), max: new Date('2200-01-01'), noInvalidDate: true });
const day = instant.map(calendarDay);
const inIndia = new Intl.DateTimeFormat('sv-SE', { timeZone: 'Asia/Kolkata', dateStyle: 'short' });

test('the day in India is that of the calendar there', () => {
  holds(
    fc.property(instant, (at) => {
      expect(calendarDay(at)).toBe(inIndia.format(at));
    }),
  );
});

test('days and times are written as Intl writes them for India', () => {
  const words = (options: Intl.DateTimeFormatOptions) =>
    new Intl.DateTimeFormat('en-IN', { timeZone: 'Asia/Kolkata', ...options });
  const shortDay = { day: 'numeric', month: 'short' } as const;
  const clock = { hour: 'numeric', minute: '2-digit' } as const;
  const ways: [(at: Date) => string, Intl.DateTimeFormat][] = [
    [time.formatDay, words({ ...shortDay, year: 'numeric' })],
    [time.formatTime, words(clock)],
    [time.formatMoment, words({ ...shortDay, year: 'numeric', ...clock })],
    [time.formatWeekday, words({ ...shortDay, weekday: 'short' })],
    [time.formatStep, words({ ...shortDay, weekday: 'short', ...clock })],
    [(at) => time.formatHour(at.toISOString()), words({ hour: 'numeric' })],
    [(at) => time.formatCalendarDay(calendarDay(at)), words({ ...shortDay, weekday: 'short' })],
    [(at) => time.formatShortDay(calendarDay(at)), words(shortDay)],
    [(at) => time.formatMonth(calendarDay(at)), words({ month: 'short' })],
    [(at) => time.formatLongMonth(calendarDay(at)), words({ month: 'long', year: 'numeric' })],
  ];
  holds(
    fc.property(instant, (at) => {
      for (const [ours, theirs] of ways) expect(ours(at)).toBe(theirs.format(at));
    }),
  );
});

test('a moment is read from every way in which it is written', () => {
  holds(
    fc.property(instant, (at) => {
      const iso = at.toISOString();
      for (const text of [iso, iso.replace('T', ' ').replace('Z', '+00'), iso.replace('Z', ''), ` ${iso} `])
        expect(instantFrom(text)?.getTime()).toBe(at.getTime());
      const there = new Date(at.getTime() + 5.5 * 3_600_000).toISOString().replace('Z', '+05:30');
      expect(instantFrom(there)?.getTime()).toBe(at.getTime());
    }),
  );
});

test('any text is a moment or none, never a moment that is none', () => {
  const nearly = fc
    .tuple(...[9999, 13, 32, 25, 61].map((max) => fc.nat({ max })))
    .map(([year, month, date, hour, minute]) => {
      const two = (number = 0) => String(number).padStart(2, '0');
      return `${String(year).padStart(4, '0')}-${two(month)}-${two(date)}T${two(hour)}:${two(minute)}Z`;
    });
  holds(
    fc.property(fc.oneof(fc.string(), nearly), (text) => {
      const read = instantFrom(text);
      if (!read) return;
      expect(Number.isNaN(read.getTime())).toBe(false);
      expect(read.toISOString().slice(0, 16)).toBe(text.trim().slice(0, 16));
    }),
  );
});

test('the clock in India is read as it is shown, and every day begins at its midnight', () => {
  holds(
    fc.property(instant, (at) => {
      const minute = Math.floor(at.getTime() / 60_000) * 60_000;
      expect(fromIndiaClock(toIndiaClock(minute))).toBe(minute);
      const midnight = startOfIndianDay(minute);
      expect(isIndianMidnight(midnight)).toBe(true);
      expect(toIndiaClock(midnight)).toBe(`${calendarDay(at)}T00:00`);
    }),
  );
});

test('whatever is typed into a date field is a day or nothing', () => {
  holds(
    fc.property(fc.oneof(fc.string(), day, fc.string({ unit: fc.constantFrom(...'0123456789-T:') })), (typed) => {
      expect(typeof formatCalendarDay(typed)).toBe('string');
      const clock = fromIndiaClock(typed);
      if (clock !== null) expect(toIndiaClock(clock)).toBe(typed);
    }),
  );
});

test('a month holds its first and last day, and months go back without a gap', () => {
  holds(
    fc.property(day, fc.integer({ min: 1, max: 40 }), (at, count) => {
      const months = monthsUpTo(at, count);
      const { from, to } = firstAndLastDay(at.slice(0, 7));
      expect(from <= at && at <= to).toBe(true);
      expect(new Set(months).size).toBe(count);
      expect([...months].sort().reverse()).toEqual(months);
      expect([0, 1]).toContain(Number(at.slice(0, 4)) - financialYearOf(at));
    }),
  );
});

test('what repeats comes again later, within its time, and on every one of its days', () => {
  const longest = { weekly: 7, monthly: 31, quarterly: 92, yearly: 366 };
  holds(
    fc.property(day, day, fc.constantFrom(...repetitions), (one, other, repeats) => {
      const [from, after] = [one, other].sort() as [string, string];
      const next = nextDue(from, repeats, after);
      expect(next === null).toBe(repeats === 'never');
      if (repeats === 'never') return;
      const days = (Date.parse(next ?? '') - Date.parse(after)) / 86_400_000;
      expect(days).toBeGreaterThan(0);
      expect(days).toBeLessThanOrEqual(longest[repeats]);
      // Asked the day before, the same day is due.
      const dayBefore = new Date(Date.parse(next ?? '') - 86_400_000).toISOString().slice(0, 10);
      expect(nextDue(from, repeats, dayBefore)).toBe(next);
    }),
  );
});
