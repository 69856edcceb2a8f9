import type { WorkingDays } from './promise.ts';

/** In India; what it leaves on and arrives by, or null where the shop cannot say. */
export type PromiseCase = [
  name: string,
  at: string,
  workingDays: number,
  expected: [leaves: string, arrives: string] | null,
  calendar?: Partial<WorkingDays>,
];

export const usual: WorkingDays = { cutoff: '14:00', weeklyOff: [0], closures: [] };
const closed = (startsOn: string, endsOn = startsOn) => ({ closures: [{ startsOn, endsOn }] });
const diwali = closed('2026-11-08', '2026-11-11');

// Worked out by hand on a calendar: 16 November 2026 is a Monday, 1 January 2027 a Friday, 29 February 2028 a Tuesday.
/** The promise, case by case: tried on the rule and on its SQL twin. */
export const promiseCases: PromiseCase[] = [
  // The cut-off.
  ['Monday morning leaves at once', '2026-11-16 09:00', 1, ['2026-11-16', '2026-11-17']],
  ['a minute before the cut-off', '2026-11-16 13:59', 1, ['2026-11-16', '2026-11-17']],
  ['a second before the cut-off', '2026-11-16 13:59:59', 1, ['2026-11-16', '2026-11-17']],
  ['on the stroke of the cut-off', '2026-11-16 14:00', 1, ['2026-11-17', '2026-11-18']],
  ['after the cut-off', '2026-11-16 18:30', 1, ['2026-11-17', '2026-11-18']],
  ['a minute before midnight', '2026-11-16 23:59', 1, ['2026-11-17', '2026-11-18']],
  ['midnight, when it is still yesterday in London', '2026-11-17 00:00', 1, ['2026-11-17', '2026-11-18']],
  ['half past five, when the day begins in London', '2026-11-17 05:30', 1, ['2026-11-17', '2026-11-18']],
  ['an early cut-off', '2026-11-16 10:30', 1, ['2026-11-17', '2026-11-18'], { cutoff: '10:00' }],
  ['a late cut-off', '2026-11-16 19:59', 1, ['2026-11-16', '2026-11-17'], { cutoff: '20:00' }],
  [
    'a cut-off at midnight: never the same day',
    '2026-11-16 00:00',
    1,
    ['2026-11-17', '2026-11-18'],
    { cutoff: '00:00' },
  ],
  ['the last possible cut-off', '2026-11-16 23:58', 0, ['2026-11-16', '2026-11-16'], { cutoff: '23:59' }],
  // Same day, and weeks.
  ['the same day', '2026-11-16 09:00', 0, ['2026-11-16', '2026-11-16']],
  ['the same day, too late', '2026-11-16 15:00', 0, ['2026-11-17', '2026-11-17']],
  ['the same day, on a Sunday', '2026-11-15 09:00', 0, ['2026-11-16', '2026-11-16']],
  ['two days from Monday', '2026-11-16 09:00', 2, ['2026-11-16', '2026-11-18']],
  ['five days from Monday is Saturday', '2026-11-16 09:00', 5, ['2026-11-16', '2026-11-21']],
  ['six days from Monday is the next one', '2026-11-16 09:00', 6, ['2026-11-16', '2026-11-23']],
  ['thirty days', '2026-11-16 09:00', 30, ['2026-11-16', '2026-12-21']],
  // Weekends.
  ['Saturday to Monday', '2026-11-14 09:00', 1, ['2026-11-14', '2026-11-16']],
  ['Saturday after the cut-off', '2026-11-14 14:30', 1, ['2026-11-16', '2026-11-17']],
  ['Sunday before the cut-off', '2026-11-15 09:00', 1, ['2026-11-16', '2026-11-17']],
  ['Sunday after the cut-off leaves on Monday too', '2026-11-15 22:00', 1, ['2026-11-16', '2026-11-17']],
  ['Friday, three days', '2026-11-13 09:00', 3, ['2026-11-13', '2026-11-17']],
  ['no weekly off day at all', '2026-11-14 09:00', 2, ['2026-11-14', '2026-11-16'], { weeklyOff: [] }],
  ['Tuesday off', '2026-11-16 09:00', 1, ['2026-11-16', '2026-11-18'], { weeklyOff: [2] }],
  ['Saturday and Sunday off', '2026-11-13 15:00', 1, ['2026-11-16', '2026-11-17'], { weeklyOff: [0, 6] }],
  ['Saturday and Sunday off, five days', '2026-11-13 09:00', 5, ['2026-11-13', '2026-11-20'], { weeklyOff: [6, 0] }],
  ['one working day a week', '2026-11-16 09:00', 2, ['2026-11-18', '2026-12-02'], { weeklyOff: [0, 1, 2, 4, 5, 6] }],
  // Closures.
  ['the day before Diwali, in time', '2026-11-07 09:00', 1, ['2026-11-07', '2026-11-12'], diwali],
  ['the day before Diwali, too late', '2026-11-07 16:00', 1, ['2026-11-12', '2026-11-13'], diwali],
  ['in the middle of Diwali', '2026-11-10 09:00', 2, ['2026-11-12', '2026-11-14'], diwali],
  ['the last day of Diwali, late', '2026-11-11 20:00', 1, ['2026-11-12', '2026-11-13'], diwali],
  ['the first day after Diwali', '2026-11-12 09:00', 1, ['2026-11-12', '2026-11-13'], diwali],
  ['a closure on the way', '2026-11-16 09:00', 3, ['2026-11-16', '2026-11-20'], closed('2026-11-18')],
  ['a closure on the day of arrival', '2026-11-16 09:00', 2, ['2026-11-16', '2026-11-19'], closed('2026-11-18')],
  ['a closure after the arrival', '2026-11-16 09:00', 2, ['2026-11-16', '2026-11-18'], closed('2026-11-19')],
  ['a closure on a Sunday costs nothing', '2026-11-14 09:00', 1, ['2026-11-14', '2026-11-16'], closed('2026-11-15')],
  [
    'closed on Saturday and Monday around a Sunday',
    '2026-11-13 15:00',
    1,
    ['2026-11-17', '2026-11-18'],
    {
      closures: [
        { startsOn: '2026-11-14', endsOn: '2026-11-14' },
        { startsOn: '2026-11-16', endsOn: '2026-11-16' },
      ],
    },
  ],
  [
    'closures that overlap',
    '2026-11-16 09:00',
    1,
    ['2026-11-23', '2026-11-24'],
    {
      closures: [
        { startsOn: '2026-11-16', endsOn: '2026-11-19' },
        { startsOn: '2026-11-18', endsOn: '2026-11-21' },
        { startsOn: '2026-11-17', endsOn: '2026-11-17' },
      ],
    },
  ],
  ['a closure of last week', '2026-11-16 09:00', 1, ['2026-11-16', '2026-11-17'], closed('2026-11-09', '2026-11-14')],
  [
    'closed today, and the cut-off is still to come',
    '2026-11-16 09:00',
    0,
    ['2026-11-17', '2026-11-17'],
    closed('2026-11-16'),
  ],
  // Year ends and leap days.
  ['New Year’s Eve', '2026-12-31 09:00', 2, ['2026-12-31', '2027-01-02']],
  ['New Year’s Eve, too late', '2026-12-31 17:00', 2, ['2027-01-01', '2027-01-04']],
  ['the last hour of the year', '2026-12-31 23:59:59', 1, ['2027-01-01', '2027-01-02']],
  ['New Year’s Day closed', '2026-12-31 09:00', 1, ['2026-12-31', '2027-01-02'], closed('2027-01-01')],
  [
    'over the year end in a closure',
    '2026-12-30 15:00',
    1,
    ['2027-01-04', '2027-01-05'],
    closed('2026-12-31', '2027-01-02'),
  ],
  ['the end of the financial year', '2027-03-31 09:00', 1, ['2027-03-31', '2027-04-01']],
  ['into a leap day', '2028-02-28 09:00', 1, ['2028-02-28', '2028-02-29']],
  ['over a leap day', '2028-02-28 15:00', 1, ['2028-02-29', '2028-03-01']],
  ['no leap day in 2027', '2027-02-27 09:00', 1, ['2027-02-27', '2027-03-01']],
  // Endless.
  ['closed for half a year', '2026-11-16 09:00', 2, ['2027-05-17', '2027-05-19'], closed('2026-11-16', '2027-05-16')],
  ['closed for more than a year', '2026-11-16 09:00', 2, null, closed('2026-11-01', '2027-11-30')],
  ['leaves, and would never arrive', '2026-11-16 09:00', 1, null, closed('2026-11-17', '2028-01-01')],
  [
    'works on Mondays alone, and every one is a holiday',
    '2026-11-16 09:00',
    1,
    null,
    {
      weeklyOff: [0, 2, 3, 4, 5, 6],
      closures: [
        { startsOn: '2026-11-01', endsOn: '2027-06-30' },
        { startsOn: '2027-07-01', endsOn: '2028-01-31' },
      ],
    },
  ],
];

/** Shelf life and journey in calendar days, and whether a third is left on arrival. */
export const shelfLifeCases: [shelfLifeDays: number | null, travelDays: number, survives: boolean][] = [
  [null, 30, true],
  [1, 0, true],
  [1, 1, false],
  [2, 1, true],
  [2, 2, false],
  [3, 2, true],
  [3, 3, false],
  [4, 2, true],
  [4, 3, false],
  [5, 3, true],
  [6, 4, true],
  [6, 5, false],
  [7, 4, true],
  [7, 5, false],
  [12, 8, true],
  [12, 9, false],
  [30, 20, true],
  [30, 21, false],
  [4, 9, false],
  [730, 400, true],
];
