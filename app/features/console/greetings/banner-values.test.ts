import { expect, test } from 'vitest';
import { asTimed, checkBanner, endWords, placesTaken, spanWords, startBanner, startWords } from './banner-values.ts';
import type { GreetingRow } from './greeting-data.ts';

const midnight = Date.parse('2026-11-07T18:30:00Z');
const diwali: GreetingRow = {
  id: 5,
  title: 'Shubh Deepavali',
  message: '',
  image: '',
  link: '/shop',
  startsAt: midnight,
  endsAt: midnight + 86_400_000,
  priority: 50,
  hasFireworks: true,
  isPublished: true,
  updated_at: '2026-11-01T00:00:00+00:00',
};
const values = startBanner(diwali, midnight);
const wrong = (changes: object) => {
  const checked = checkBanner({ ...values, ...changes });
  return checked.ok ? {} : checked.errors;
};

test('times are typed by the clock in India', () => {
  expect([values.starts_at, values.ends_at]).toEqual(['2026-11-08T00:00', '2026-11-09T00:00']);
  expect(checkBanner(values)).toMatchObject({
    ok: true,
    value: { starts_at: '2026-11-07T18:30:00.000Z', priority: 50 },
  });
});

test('a new one begins tomorrow and lasts a week', () => {
  expect(startBanner(null, midnight)).toMatchObject({ starts_at: '2026-11-08T00:00', ends_at: '2026-11-15T00:00' });
});

test.each([
  [{ title: ' ' }, { title: 'Please fill in this field.' }],
  [{ title: 'x'.repeat(81) }, { title: 'At most 80 characters.' }],
  [{ message: 'x'.repeat(201) }, { message: 'At most 200 characters.' }],
  [{ link: 'javascript:x' }, { link: 'Enter a path such as /shop, or a link starting with https://.' }],
  [{ link: '' }, {}],
  [{ starts_at: '' }, { starts_at: 'Choose a date and time.' }],
  [{ ends_at: '2026-11-08T00:00' }, { ends_at: 'Must be after the start.' }],
  [{ priority: 'high' }, { priority: 'Enter a whole number.' }],
  [{ priority: '1001' }, { priority: 'Between -1000 and 1,000.' }],
])('%o is refused at its field', (changes, errors) => {
  expect(wrong(changes)).toEqual(errors);
});

test('what is typed stands among the others as soon as its times make sense', () => {
  expect(asTimed(values, 5)).toMatchObject({ id: 5, startsAt: diwali.startsAt, priority: 50, isPublished: true });
  expect(asTimed({ ...values, ends_at: '' }, 5)).toBeNull();
  expect(asTimed({ ...values, ends_at: values.starts_at }, 5)).toBeNull();
});

test('midnight is the end of the day before', () => {
  expect([startWords(midnight), endWords(midnight)]).toEqual(['8 Nov 2026', '7 Nov 2026']);
  expect(endWords(midnight + 60_000)).toBe('8 Nov 2026, 12:01 am');
  expect(spanWords({ from: midnight, to: midnight + 86_400_000 })).toBe('8 Nov 2026');
  expect(spanWords({ from: midnight, to: midnight + 172_800_000 })).toBe('8 Nov 2026 to 9 Nov 2026');
});

test('it is told whose place a greeting takes, and when', () => {
  const day = 86_400_000;
  const everyDay = { ...diwali, id: 1, title: 'Every day', priority: 0, startsAt: 0, endsAt: midnight + 300 * day };
  const small = { ...diwali, id: 7, title: 'Small', priority: 9, startsAt: midnight - day, endsAt: midnight + 3 * day };
  expect(placesTaken(diwali, [everyDay], 0)).toBe('It overrides Every day on 8 Nov 2026.');
  expect(placesTaken(small, [everyDay, diwali], 0)).toBe(
    'It overrides Every day on 7 Nov 2026 and from 9 Nov 2026 to 10 Nov 2026.',
  );
  const week = { ...diwali, id: 8, endsAt: midnight + 7 * day };
  expect(placesTaken(week, [everyDay, small], 0)).toBe(
    'It overrides Small from 8 Nov 2026 to 10 Nov 2026; Every day from 11 Nov 2026 to 14 Nov 2026.',
  );
  expect(placesTaken(everyDay, [diwali], 0)).toBe('');
  expect(placesTaken(diwali, [everyDay], midnight + day)).toBe('');
});
