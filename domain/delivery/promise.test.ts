import { expect, test } from 'vitest';
import { instantFrom } from '../time.ts';
import { dayAfter, journeyOf, survives, travelDaysOf } from './promise.ts';
import { promiseCases, shelfLifeCases, usual } from './promise-cases.ts';

const inIndia = (text: string) => instantFrom(`${text}+05:30`) as Date;

test('the table has its forty cases', () => {
  expect(promiseCases.length).toBeGreaterThanOrEqual(40);
  expect(new Set(promiseCases.map(([name]) => name)).size).toBe(promiseCases.length);
});

test.each(promiseCases)('%s: %s, %i working days', (_name, at, workingDays, expected, calendar = {}) => {
  const journey = journeyOf(inIndia(at), workingDays, { ...usual, ...calendar });
  expect(journey && [journey.leavesOn, journey.arrivesOn]).toEqual(expected);
});

test.each(shelfLifeCases)('what keeps %s days after %i on the way: %s', (life, travel, lives) => {
  expect(survives(life, travel)).toBe(lives);
});

test('a journey is counted in calendar days, across months and years', () => {
  expect(travelDaysOf({ leavesOn: '2026-12-31', arrivesOn: '2027-01-02' })).toBe(2);
  expect(travelDaysOf({ leavesOn: '2026-11-16', arrivesOn: '2026-11-16' })).toBe(0);
  expect(dayAfter('2028-02-28', 1)).toBe('2028-02-29');
});
