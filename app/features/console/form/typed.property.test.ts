import fc from 'fast-check';
import { expect, test } from 'vitest';
import { stockFrom, stockText } from '#domain/stock/quantity.ts';
import { gstinCheckCharacter, gstinProblem } from '#domain/vendors/gstin.ts';
import { anyText, holds } from '../../../../tests/support/properties.ts';
import { cursorFromText, cursorToText, textsIn } from '../list/url-state.ts';
import { ListState, questionOf } from '../orders/list/order-filter.ts';
import { day, decimal, link, optional, phone, pincode, rupees, text, whole } from './inputs.ts';

const typed = fc.oneof(
  anyText(),
  fc.string({ unit: 'grapheme' }),
  fc.string({ unit: fc.constantFrom(...'0123456789.,-+₹ eE५') }),
  fc.constantFrom(
    '',
    ' ',
    '1e400',
    'Infinity',
    '-0',
    '0x10',
    '1,00,000.50',
    '₹ 12',
    '2026-02-30',
    '//evil.example',
    'javascript:alert(1)',
  ),
);

test('whatever is typed into a field is what the field is for, or gets a sentence', () => {
  const fields = [
    text({ max: 20, min: 1 }),
    rupees({ min: 0 }),
    whole({ min: -5, max: 9999 }),
    decimal({ min: 0, max: 100, places: 2 }),
    day(),
    phone(),
    pincode(),
    link(),
    optional(rupees({ min: 0 })),
  ];
  holds(
    fc.property(typed, (value) => {
      for (const field of fields) {
        const read = field.safeParse(value);
        if (read.success) {
          if (typeof read.data === 'number') expect(Number.isFinite(read.data)).toBe(true);
          if (typeof read.data === 'string') expect(read.data).not.toContain('\0');
        } else expect(read.error.issues[0]?.message).not.toBe('');
      }
    }),
  );
});

test('an amount is read as it is shown, with or without the sign and the commas of India', () => {
  holds(
    fc.property(fc.integer({ min: 0, max: 9_999_999_900 }), (paise) => {
      const plain = (paise / 100).toFixed(2);
      const grouped = `₹${Number(plain).toLocaleString('en-IN', { minimumFractionDigits: 2 })}`;
      for (const shown of [plain, grouped, ` ${plain} `]) expect(rupees({ min: 0 }).parse(shown)).toBe(paise);
    }),
  );
});

test('stock is read as it stands in its field', () => {
  holds(
    fc.property(fc.nat({ max: 999_999 }), fc.boolean(), (units, hasSize) => {
      expect(stockFrom(stockText(units, { hasSize }), { hasSize })).toBe(units);
    }),
  );
});

test('one wrong character in a GSTIN is found', () => {
  const letters = fc.string({ unit: fc.constantFrom(...'ABCDEFGHIJKLMNOPQRSTUVWXYZ'), minLength: 5, maxLength: 5 });
  const digits = fc.integer({ min: 1000, max: 9999 });
  holds(
    fc.property(letters, digits, fc.nat({ max: 13 }), fc.integer({ min: 1, max: 8 }), (name, number, place, shift) => {
      const first = `27${name}${number}F1Z`;
      const gstin = first + gstinCheckCharacter(first);
      expect(gstinProblem(gstin)).toBeNull();
      const alphabet = /\d/.test(gstin[place] as string) ? '0123456789' : 'ABCDEFGHIJKLMNOPQRSTUVWXYZ';
      const other = alphabet[(alphabet.indexOf(gstin[place] as string) + shift) % alphabet.length] as string;
      expect(gstinProblem(gstin.slice(0, place) + other + gstin.slice(place + 1))).not.toBeNull();
    }),
  );
});

test('any address of the list of orders is a question that the database can be asked', () => {
  const parameters = fc.dictionary(fc.constantFrom(...Object.keys(ListState.shape), 'nope'), typed);
  holds(
    fc.property(parameters, (asked) => {
      const state = ListState.parse(textsIn(`?${new URLSearchParams(asked)}`));
      expect(JSON.stringify(questionOf(state))).not.toContain('\\u0000');
    }),
  );
});

test('a cursor goes through an address unharmed; anything else is none', () => {
  const key = fc.string({ unit: 'grapheme' }).filter((one) => one !== '__proto__');
  holds(
    fc.property(
      fc.dictionary(key, fc.oneof(fc.integer(), fc.string({ unit: 'grapheme' }), fc.constant(null))),
      fc.string(),
      (cursor, other) => {
        expect(cursorFromText(cursorToText(cursor))).toEqual({ ...cursor });
        const read = cursorFromText(other);
        expect(read === null || typeof read === 'object').toBe(true);
      },
    ),
  );
});
