import { expect, test } from 'vitest';
import {
  type AddressFields,
  addressErrors,
  addressFrom,
  addressLine,
  emptyAddress,
  rowFrom,
  tidiedAddress,
} from './address-book.ts';

const nani: AddressFields = {
  label: 'Nani',
  name: 'Kamala Devi',
  phone: '9876543210',
  buildingNo: '12, Shanti Sadan',
  street: 'MG Road',
  city: 'Pune',
  state: 'Maharashtra',
  zip: '411001',
};

test('a complete address is fine', () => {
  expect(addressErrors(nani)).toEqual({});
});

test('phone and pincode are tidied as the profile tidies them', () => {
  const typed = { ...nani, phone: ' ०98765 43210', zip: '411 001', name: '  Kamala \n Devi ' };
  expect(tidiedAddress(typed)).toEqual(nani);
});

test('an entry without a label is called as the person is', () => {
  expect(tidiedAddress({ ...nani, label: '  ' }).label).toBe('Kamala Devi');
});

test('every part but the label is needed, because a parcel goes there', () => {
  const { label: _label, ...needed } = emptyAddress;
  expect(Object.keys(addressErrors(emptyAddress)).sort()).toEqual(Object.keys(needed).sort());
});

test.each([
  ['phone', '12345', 'mobile'],
  ['zip', '011001', 'pincode'],
  ['street', 'x'.repeat(201), '200'],
  ['label', 'x'.repeat(41), '40'],
  ['name', 'क'.repeat(81), '80'],
  ['street', 'MG \u0007Road', 'printed'],
  ['city', 'Pu\u202ene', 'printed'],
] as const)('a wrong %s says so', (field, value, words) => {
  expect(addressErrors({ ...nani, [field]: value })[field]).toContain(words);
});

test('rows are read as they were written', () => {
  expect(addressFrom({ id: 'a', ...rowFrom(nani) })).toEqual({ id: 'a', ...nani });
});

test('the line of a list leaves out what is missing', () => {
  expect(addressLine(nani)).toBe('12, Shanti Sadan, MG Road, Pune 411001');
  expect(addressLine({ ...nani, buildingNo: '', city: '' })).toBe('MG Road, 411001');
});
