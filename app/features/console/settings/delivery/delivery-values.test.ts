import { expect, test } from 'vitest';
import { daysWords, prefixesInShort } from './delivery-data.ts';
import {
  checkCartShipping,
  checkClosure,
  checkWorkingDays,
  checkZone,
  startCartShipping,
  startClosure,
  startWorkingDays,
  startZone,
} from './delivery-values.ts';

const settings = {
  cutoff_time: '14:00',
  weekly_off: [0, 6],
  updated_at: '',
  today: '2026-11-16',
  cart_shipping: { kind: 'flat' as const, flat_paise: 4000, zone_from_grams: null },
  zones: [],
  closures: [],
  cutoffs: [],
};
const zone = {
  ...startZone(null),
  name: 'Mumbai',
  pincode_prefixes: '401 400',
  first_kg_charge: '40',
  extra_kg_charge: '15',
};
const errorsOf = (checked: { ok: boolean; errors?: Record<string, string> }) => (checked.ok ? null : checked.errors);

test('working days go into the form and come out of it', () => {
  expect(checkWorkingDays(startWorkingDays(settings))).toEqual({
    ok: true,
    value: { cutoff_time: '14:00', weekly_off: [0, 6] },
  });
});

test('a week without a working day, or a cut-off that is no time, is refused at the field', () => {
  const all = startWorkingDays({ ...settings, weekly_off: [0, 1, 2, 3, 4, 5, 6] });
  expect(errorsOf(checkWorkingDays(all))).toEqual({ off_0: 'Keep at least one working day.' });
  for (const cutoff_time of ['', '24:00', '2 pm', '14:60'])
    expect(errorsOf(checkWorkingDays({ ...startWorkingDays(settings), cutoff_time }))).toHaveProperty('cutoff_time');
});

test('a closure needs its days in order, and a reason', () => {
  expect(checkClosure({ ...startClosure(null, '2026-11-16'), reason: ' Diwali ' })).toEqual({
    ok: true,
    value: { starts_on: '2026-11-16', ends_on: '2026-11-16', reason: 'Diwali' },
  });
  expect(errorsOf(checkClosure({ starts_on: '2026-11-16', ends_on: '2026-11-15', reason: 'x' }))).toHaveProperty(
    'ends_on',
  );
  expect(errorsOf(checkClosure({ starts_on: '', ends_on: '2026-02-30', reason: '' }))).toMatchObject({
    starts_on: 'Choose a date.',
    ends_on: 'Choose a date.',
    reason: 'Please fill in this field.',
  });
});

test('a zone is read as it is typed', () => {
  expect(checkZone(zone)).toEqual({
    ok: true,
    value: {
      name: 'Mumbai',
      pincode_prefixes: ['400', '401'],
      first_kg_charge: 4000,
      extra_kg_charge: 1500,
      min_days: 1,
      max_days: 2,
      is_published: true,
    },
  });
});

test.each([
  [{ name: ' ' }, 'name'],
  [{ pincode_prefixes: 'Mumbai' }, 'pincode_prefixes'],
  [{ pincode_prefixes: '' }, 'pincode_prefixes'],
  [{ first_kg_charge: '-1' }, 'first_kg_charge'],
  [{ first_kg_charge: 'free' }, 'first_kg_charge'],
  [{ extra_kg_charge: '10001' }, 'extra_kg_charge'],
  [{ min_days: '3' }, 'max_days'],
  [{ max_days: '8' }, 'max_days'],
  [{ max_days: '1.5' }, 'max_days'],
])('%j is refused at the field', (change, field) => {
  expect(Object.keys(errorsOf(checkZone({ ...zone, ...change })) ?? {})).toEqual([field]);
});

test('days and pincodes in few words', () => {
  expect(daysWords({ min_days: 0, max_days: 0 })).toBe('the same day');
  expect(daysWords({ min_days: 1, max_days: 1 })).toBe('1 working day');
  expect(daysWords({ min_days: 2, max_days: 5 })).toBe('2 to 5 working days');
  expect(prefixesInShort(['1', '2', '3'])).toBe('1, 2, 3');
  expect(prefixesInShort(Array.from('123456789'))).toBe('1, 2, 3, 4, 5, 6, 7 and 2 more');
});

test('shipping of carts is typed in rupees and kilograms', () => {
  const rule = { kind: 'flat' as const, flat_paise: 4550, zone_from_grams: 2500 };
  expect(startCartShipping(rule)).toEqual({ kind: 'flat', flat_paise: '45.5', zone_from_grams: '2.5' });
  expect(checkCartShipping(startCartShipping(rule))).toEqual({ ok: true, value: rule });
  expect(checkCartShipping(startCartShipping(settings.cart_shipping))).toEqual({
    ok: true,
    value: settings.cart_shipping,
  });
  expect(checkCartShipping({ kind: 'free', flat_paise: '-1', zone_from_grams: '31' })).toMatchObject({
    ok: false,
    errors: { kind: expect.any(String), flat_paise: expect.any(String), zone_from_grams: 'Between 0.001 and 30.' },
  });
});
