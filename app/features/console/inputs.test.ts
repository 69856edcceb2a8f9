import { expect, test } from 'vitest';
import { z } from 'zod';
import { checkWith, day, decimal, link, optional, phone, pincode, rupees, text, whole } from './inputs.ts';

const wrong = (schema: z.ZodType, typed: string) => {
  const checked = checkWith(z.object({ field: schema }))({ field: typed });
  return checked.ok ? null : checked.errors.field;
};
const right = (schema: z.ZodType, typed: string) => checkWith(z.object({ field: schema }))({ field: typed });

test.each([
  ['₹1,299.50', 129950],
  [' 40 ', 4000],
  ['0.05', 5],
])('%s is so many paise', (typed, paise) => {
  expect(right(rupees({ min: 0 }), typed)).toEqual({ ok: true, value: { field: paise } });
});

test.each([
  [rupees({ min: 1 }), '', 'An amount like 1,299.50.'],
  [rupees({ min: 1 }), '1.005', 'An amount like 1,299.50.'],
  [rupees({ min: 1 }), '0.5', 'At least ₹1.'],
  [rupees({ min: 1, max: 100000 }), '100001', 'At most ₹1,00,000.'],
  [rupees({ min: 0 }), '-4', 'An amount like 1,299.50.'],
  [whole({ min: 1, max: 25 }), '2.5', 'A whole number.'],
  [whole({ min: 1, max: 25 }), '26', 'Between 1 and 25.'],
  [decimal({ min: 0, max: 40, places: 2 }), '5.125', 'A number with at most 2 decimals.'],
  [day(), '2026-13-01', 'Choose a day.'],
  [day(), '2026-02-30', 'Choose a day.'],
  [day(), '', 'Choose a day.'],
  [phone(), '12345', 'A mobile number of ten digits.'],
  [pincode(), '012345', 'Six digits, the first not 0.'],
  [text({ min: 1, max: 5 }), '   ', 'Please fill this in.'],
  [text({ min: 1, max: 5 }), '\u200b\u2060 \0', 'Please fill this in.'],
  [text({ max: 5 }), 'halwas', 'At most 5 characters.'],
  [link(), '//elsewhere.example', 'A path like /shop, or an address that begins with https://.'],
  [link(), 'javascript:alert(1)', 'A path like /shop, or an address that begins with https://.'],
  [optional(pincode()), '12', 'Six digits, the first not 0.'],
])('what is wrong is said in a sentence', (schema, typed, sentence) => {
  expect(wrong(schema, typed)).toBe(sentence);
});

test('what may be empty is null then', () => {
  expect(right(optional(rupees({ min: 0 })), '  ')).toEqual({ ok: true, value: { field: null } });
  expect(right(optional(rupees({ min: 0 })), '5')).toEqual({ ok: true, value: { field: 500 } });
});
