import { expect, test } from 'vitest';
import { gstinCheckCharacter, gstinProblem, isFssaiNumber, tidyGstin } from './gstin.ts';

// Published examples of registered businesses.
test.each(['27AAPFU0939F1ZV', '29AAGCB7383J1Z4', '24AAACC1206D1ZM', '33AAACR5055K1ZE'])('%s is a GSTIN', (gstin) => {
  expect(gstinCheckCharacter(gstin.slice(0, 14))).toBe(gstin[14]);
  expect(gstinProblem(gstin)).toBeNull();
});

test.each(['', '27AAPFU0939F1Z', '27AAPFU0939F1ZVX', '2AAAPFU0939F1ZV', '27AAPFU0939F1YV', '27aapfu0939f1zv'])(
  '"%s" has not the shape of one',
  (gstin) => {
    expect(gstinProblem(gstin)).toMatch(/15 characters/);
  },
);

test('one wrong character is noticed wherever it is, and so are two that changed places', () => {
  const gstin = '27AAPFU0939F1ZV';
  for (let place = 0; place < gstin.length; place++) {
    for (const other of 'AB01') {
      const typo = gstin.slice(0, place) + other + gstin.slice(place + 1);
      if (typo !== gstin) expect(gstinProblem(typo), typo).not.toBeNull();
    }
  }
  expect(gstinProblem('72AAPFU0939F1ZV')).toMatch(/not valid/);
  expect(gstinProblem('27AAPFU9039F1ZV')).toMatch(/not valid/);
});

test('small letters and spaces are tidied away', () => {
  expect(tidyGstin(' 27aapfu 0939f1zv ')).toBe('27AAPFU0939F1ZV');
});

test('a food licence has fourteen digits', () => {
  expect(isFssaiNumber('10012345000123')).toBe(true);
  expect(isFssaiNumber('1001234500012')).toBe(false);
  expect(isFssaiNumber('1001234500012A')).toBe(false);
});
