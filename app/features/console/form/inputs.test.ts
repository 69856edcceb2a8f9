import { expect, test } from 'vitest';
import { z } from '#contracts/z.ts';
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
  [rupees({ min: 1 }), '', 'Enter an amount, such as 1,299.50.'],
  [rupees({ min: 1 }), '1.005', 'Enter an amount, such as 1,299.50.'],
  [rupees({ min: 1 }), '0.5', 'At least ₹1.'],
  [rupees({ min: 1, max: 100000 }), '100001', 'At most ₹1,00,000.'],
  [rupees({ min: 0 }), '-4', 'Enter an amount, such as 1,299.50.'],
  [whole({ min: 1, max: 25 }), '2.5', 'Enter a whole number.'],
  [whole({ min: 1, max: 25 }), '26', 'Between 1 and 25.'],
  [decimal({ min: 0, max: 40, places: 2 }), '5.125', 'Enter a number with at most 2 decimals.'],
  [day(), '2026-13-01', 'Choose a date.'],
  [day(), '2026-02-30', 'Choose a date.'],
  [day(), '', 'Choose a date.'],
  [phone(), '12345', 'Enter a 10-digit mobile number.'],
  [pincode(), '012345', 'Enter a 6-digit pincode.'],
  [text({ min: 1, max: 5 }), '   ', 'Please fill in this field.'],
  [text({ min: 1, max: 5 }), '\u200b\u2060 \0', 'Please fill in this field.'],
  [text({ max: 5 }), 'halwas', 'At most 5 characters.'],
  [link(), '//elsewhere.example', 'Enter a path such as /shop, or a link starting with https://.'],
  [link(), 'javascript:alert(1)', 'Enter a path such as /shop, or a link starting with https://.'],
  [optional(pincode()), '12', 'Enter a 6-digit pincode.'],
])('what is wrong is said in a sentence', (schema, typed, sentence) => {
  expect(wrong(schema, typed)).toBe(sentence);
});

test('what may be empty is null then', () => {
  expect(right(optional(rupees({ min: 0 })), '  ')).toEqual({ ok: true, value: { field: null } });
  expect(right(optional(rupees({ min: 0 })), '5')).toEqual({ ok: true, value: { field: 500 } });
});
