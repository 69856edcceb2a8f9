import fc from 'fast-check';
import { expect, test } from 'vitest';
import { anyText, holds } from '../../tests/support/properties.ts';
import { isPincode } from '../profile.ts';
import { calendarDay } from '../time.ts';
import { readPincode } from './pincode.ts';
import { dayAfter, journeyOf, survives, type WorkingDays } from './promise.ts';
import { readPrefixes } from './zone-prefixes.ts';

const instant = fc.date({ min: new Date('2026-01-01'), max: new Date('2027-01-01'), noInvalidDate: true });
const calendar: fc.Arbitrary<WorkingDays> = fc.record({
  cutoff: fc.constantFrom('09:00', '14:00', '23:59'),
  weeklyOff: fc.uniqueArray(fc.integer({ min: 0, max: 6 }), { maxLength: 6 }),
  closures: fc.array(
    fc
      .tuple(instant.map(calendarDay), fc.integer({ min: 0, max: 20 }))
      .map(([startsOn, days]) => ({ startsOn, endsOn: dayAfter(startsOn, days) })),
    { maxLength: 4 },
  ),
});
const isOpen = (day: string, { weeklyOff, closures }: WorkingDays) =>
  !weeklyOff.includes(new Date(`${day}T00:00Z`).getUTCDay()) &&
  !closures.some(({ startsOn, endsOn }) => startsOn <= day && day <= endsOn);

test('an order leaves and arrives on days on which the shop works, never before it was placed', () => {
  holds(
    fc.property(instant, fc.integer({ min: 0, max: 8 }), calendar, (at, days, working) => {
      const journey = journeyOf(at, days, working);
      if (!journey) return;
      const { leavesOn, arrivesOn } = journey;
      expect(calendarDay(at) <= leavesOn && leavesOn <= arrivesOn).toBe(true);
      expect([isOpen(leavesOn, working), isOpen(arrivesOn, working)]).toEqual([true, true]);
    }),
  );
});

test('later orders and farther zones never arrive earlier', () => {
  holds(
    fc.property(
      instant,
      fc.nat({ max: 10 ** 9 }),
      fc.integer({ min: 0, max: 6 }),
      calendar,
      (at, ms, days, working) => {
        const first = journeyOf(at, days, working);
        const later = journeyOf(new Date(at.getTime() + ms), days, working);
        const farther = journeyOf(at, days + 1, working);
        if (first && later) expect(first.arrivesOn <= later.arrivesOn).toBe(true);
        if (first && farther) expect(first.arrivesOn < farther.arrivesOn).toBe(true);
      },
    ),
  );
});

test('what survives a way survives a shorter one, and what keeps longer survives it too', () => {
  holds(
    fc.property(fc.integer({ min: 1, max: 400 }), fc.integer({ min: 0, max: 60 }), (life, way) => {
      if (!survives(life, way)) return;
      expect(survives(life, Math.max(way - 1, 0)) && survives(life + 1, way) && survives(null, way)).toBe(true);
      expect(life - way).toBeGreaterThan(0);
    }),
  );
});

test('a pincode is read in every script of India, with whatever stands between its digits', () => {
  const zeros = [0x30, 0x0660, 0x0966, 0x09e6, 0x0a66, 0x0ae6, 0x0b66, 0x0be6, 0x0c66, 0x0ce6, 0x0d66];
  holds(
    fc.property(
      fc.integer({ min: 100_000, max: 999_999 }),
      fc.constantFrom(...zeros),
      fc.constantFrom('', ' ', '-', '\u200b', '\u00a0'),
      (pincode, zero, between) => {
        const digits = [...String(pincode)].map((digit) => String.fromCodePoint(zero + Number(digit)));
        expect(readPincode(` ${digits.join(between)} `)).toEqual({ ok: true, pincode: String(pincode) });
      },
    ),
  );
});

test('whatever is typed is a pincode or gets a sentence; the beginnings of pincodes likewise', () => {
  const digits = fc.string({ unit: fc.constantFrom('0', '1', '9', ' ', ',', '५', 'x', '\n'), maxLength: 20 });
  holds(
    fc.property(fc.oneof(anyText(), digits), (typed) => {
      const pincode = readPincode(typed);
      expect(pincode.ok ? isPincode(pincode.pincode) : pincode.sentence !== '').toBe(true);
      const read = readPrefixes(typed);
      if (read.ok) expect(readPrefixes(read.prefixes.join(', '))).toEqual(read);
      else expect(read.sentence).not.toBe('');
    }),
  );
});
