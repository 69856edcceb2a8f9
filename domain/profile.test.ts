import { expect, test } from 'vitest';
import { addressWarning, emptyProfile, isMobile, isPincode, mobileNumber, type Profile } from './profile.ts';

const complete: Profile = {
  phone: '9000000001',
  buildingNo: 'Flat 12B',
  street: '80 Feet Road',
  city: 'Bengaluru',
  state: 'Karnataka',
  zip: '560034',
};

test('a complete profile needs no warning', () => {
  expect(addressWarning(complete)).toBeNull();
});

test('a missing phone alone asks for the mobile number', () => {
  expect(addressWarning({ ...complete, phone: '' })).toBe('Update mobile number');
  expect(addressWarning({ ...complete, phone: '   ' })).toBe('Update mobile number');
});

test.each(['buildingNo', 'street', 'city', 'state', 'zip'] as const)('a missing %s asks for the address', (part) => {
  expect(addressWarning({ ...complete, [part]: '' })).toBe('Update address');
  expect(addressWarning({ ...complete, [part]: ' \t' })).toBe('Update address');
  expect(addressWarning({ ...complete, [part]: '', phone: '' })).toBe('Update mobile number and address');
});

test('at the counter a phone number is enough', () => {
  expect(addressWarning({ ...emptyProfile, phone: '9000000001' }, 'pickup')).toBeNull();
  expect(addressWarning({ ...complete, phone: '' }, 'pickup')).toBe('Update mobile number');
});

test('a new customer is asked for both', () => {
  expect(addressWarning(emptyProfile)).toBe('Update mobile number and address');
});

test.each(['9000000001', '6123456789', '+919000000001', '+91 9000000001', '+91-9000000001'])(
  '%s is an Indian mobile number',
  (phone) => expect(isMobile(phone)).toBe(true),
);

test.each(['', '5000000001', '900000001', '90000000011', '+449000000001', '9000000001\n', 'nine', '90000 00001'])(
  '%j is not an Indian mobile number',
  (phone) => expect(isMobile(phone)).toBe(false),
);

test.each(['560034', '110001', '999999'])('%s is a pincode', (zip) => expect(isPincode(zip)).toBe(true));

test.each(['', '056003', '56003', '5600345', '560 034', 'SW1A 1', '560034\n'])('%j is not a pincode', (zip) =>
  expect(isPincode(zip)).toBe(false),
);

test('a mobile number has one spelling for services, and anything else has none', () => {
  for (const spelled of ['9820012345', '+919820012345', '+91 9820012345', '+91-9820012345', ' 9820012345 '])
    expect(mobileNumber(spelled)).toBe('+919820012345');
  for (const other of ['', '12345', '5820012345', '+14155550100', '9820012345, 9820012346'])
    expect(mobileNumber(other)).toBeNull();
});
