import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { holds } from '../../tests/support/properties.ts';
import { calendarDay } from '../time.ts';
import { type Cutoff, type DeliveryDay, deliveryDays, lastChoice } from './delivery-day.ts';
import { type Day, dayAfter, journeyOf, type WorkingDays } from './promise.ts';

// 16 November 2026 is a Monday.
const monday = new Date('2026-11-16T09:00+05:30');
const usual: WorkingDays = { cutoff: '14:00', weeklyOff: [0], closures: [] };
const on = (day: Day, days: readonly DeliveryDay[]) => days.find((one) => one.day === day);
const diwali: Cutoff = {
  name: 'Diwali',
  startsOn: '2026-11-26',
  endsOn: '2026-11-28',
  orderBy: '2026-11-20',
  isOfZone: false,
};

describe('a chosen day', () => {
  test('is packed as late as the journey allows', () => {
    const days = deliveryDays(monday, 2, usual);
    expect(on('2026-11-18', days)).toEqual({ day: '2026-11-18', packOn: '2026-11-16', reason: null });
    expect(on('2026-12-10', days)).toEqual({ day: '2026-12-10', packOn: '2026-12-08', reason: null });
    // Over a Sunday, on which nothing moves.
    expect(on('2026-11-23', days)?.packOn).toBe('2026-11-20');
  });

  test('is too soon where the parcel cannot be there yet', () => {
    const after = deliveryDays(new Date('2026-11-16T14:00+05:30'), 2, usual);
    expect(on('2026-11-17', deliveryDays(monday, 2, usual))?.reason).toBe('day-too-soon');
    expect([on('2026-11-18', after)?.reason, on('2026-11-19', after)?.reason]).toEqual(['day-too-soon', null]);
  });

  test('is a day on which the shop works', () => {
    const closed = { ...usual, closures: [{ startsOn: '2026-11-24', endsOn: '2026-11-25' }] };
    const days = deliveryDays(monday, 2, closed);
    expect([on('2026-11-22', days)?.reason, on('2026-11-24', days)?.reason]).toEqual(['day-off', 'day-closed']);
    expect(on('2026-11-26', days)?.packOn).toBe('2026-11-21');
  });

  test('is at most 60 days ahead', () => {
    const days = deliveryDays(monday, 2, usual);
    expect([days[0]?.day, days.at(-1)?.day, days.length]).toEqual(['2026-11-16', '2027-01-15', lastChoice + 1]);
  });

  test('of a festival is chosen until its cut-off, the whole of that day', () => {
    const late = (at: string, cutoffs = [diwali]) =>
      on('2026-11-27', deliveryDays(new Date(at), 2, usual, cutoffs))?.reason;
    expect([late('2026-11-20T23:59+05:30'), late('2026-11-21T00:00+05:30')]).toEqual([null, 'day-cutoff-passed']);
    // A zone's own cut-off comes first, the earlier of two next.
    const ofZone = { ...diwali, orderBy: '2026-11-23', isOfZone: true };
    expect(late('2026-11-21T00:00+05:30', [diwali, ofZone])).toBeNull();
    expect(late('2026-11-21T00:00+05:30', [{ ...diwali, orderBy: '2026-11-24' }, diwali])).toBe('day-cutoff-passed');
  });

  test('that is the earliest one is possible after the cut-off, too: it is promised without choosing', () => {
    const days = deliveryDays(new Date('2026-11-24T09:00+05:30'), 2, usual, [diwali]);
    expect(['26', '27', '28', '30'].map((day) => on(`2026-11-${day}`, days)?.reason)).toEqual([
      null,
      'day-cutoff-passed',
      'day-cutoff-passed',
      null,
    ]);
  });
});

const instant = fc.date({ min: new Date('2026-01-01'), max: new Date('2027-01-01'), noInvalidDate: true });
const calendar: fc.Arbitrary<WorkingDays> = fc.record({
  cutoff: fc.constantFrom('00:00', '09:00', '14:00', '23:59'),
  weeklyOff: fc.uniqueArray(fc.integer({ min: 0, max: 6 }), { maxLength: 6 }),
  closures: fc.array(
    fc
      .tuple(instant.map(calendarDay), fc.integer({ min: 0, max: 20 }))
      .map(([startsOn, days]) => ({ startsOn, endsOn: dayAfter(startsOn, days) })),
    { maxLength: 6 },
  ),
});

test('the first possible day is the one that is promised without choosing', () => {
  holds(
    fc.property(instant, fc.integer({ min: 0, max: 7 }), calendar, (at, workingDays, working) => {
      const first = deliveryDays(at, workingDays, working).find(({ reason }) => reason === null);
      const promised = journeyOf(at, workingDays, working);
      if (first) expect({ leavesOn: first.packOn, arrivesOn: first.day }).toEqual(promised);
      else expect(promised === null || promised.arrivesOn > dayAfter(calendarDay(at), lastChoice)).toBe(true);
    }),
  );
});

test('a later day is never packed earlier, and an order of that packing morning arrives on that day', () => {
  holds(
    fc.property(instant, fc.integer({ min: 0, max: 7 }), calendar, (at, workingDays, working) => {
      let before = '';
      for (const { day, packOn, reason } of deliveryDays(at, workingDays, working)) {
        if (reason !== null || packOn === null) continue;
        expect(packOn >= before && packOn <= day).toBe(true);
        before = packOn;
        if (working.cutoff === '00:00') continue;
        const morning = new Date(`${packOn}T00:00:00+05:30`);
        expect(journeyOf(morning, workingDays, working)).toEqual({ leavesOn: packOn, arrivesOn: day });
      }
    }),
  );
});
