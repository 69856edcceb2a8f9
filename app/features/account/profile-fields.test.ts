import { expect, test } from 'vitest';
import { indianStates, unionTerritories } from '#domain/indian-states.ts';
import { emptyProfile } from '#domain/profile.ts';
import { fieldErrors, type ProfileFields, tidied } from './profile-fields.ts';

const fields = (some: Partial<ProfileFields>): ProfileFields => ({ ...emptyProfile, fullName: '', ...some });

test.each([
  ['98765 43210', '9876543210'],
  ['098765-43210', '9876543210'],
  ['+91 98765 43210', '+919876543210'],
  ['91 98765 43210', '+919876543210'],
  ['(98765) 43210', '9876543210'],
  ['९८७६५ ४३२१०', '9876543210'],
  ['', ''],
])('the number %j is kept as %j', (typed, kept) => {
  const { phone } = tidied(fields({ phone: typed }));
  expect(phone).toBe(kept);
  expect(fieldErrors(fields({ phone }))).toEqual({});
});

test('a pincode may be typed with a space or in Devanagari', () => {
  expect(tidied(fields({ zip: ' 560 034 ' })).zip).toBe('560034');
  expect(tidied(fields({ zip: '५६००३४' })).zip).toBe('560034');
});

test('names and addresses keep every letter and lose only stray white space', () => {
  const typed = fields({ fullName: '  मीरा \n <script>alert(1)</script> ', street: 'M.G.\tRoad\0' });
  expect(tidied(typed)).toMatchObject({ fullName: 'मीरा <script>alert(1)</script>', street: 'M.G. Road' });
});

test.each(['12345', '5876543210', '98765432100', 'call me'])('the number %j is refused beside its field', (phone) => {
  expect(fieldErrors(tidied(fields({ phone }))).phone).toContain('10-digit Indian mobile number');
});

test.each(['012345', '56003', '5600345', 'SW1A'])('the pincode %j is refused beside its field', (zip) => {
  expect(fieldErrors(tidied(fields({ zip }))).zip).toContain('6-digit pincode');
});

test('nothing has to be filled in', () => {
  expect(fieldErrors(fields({}))).toEqual({});
});

test('what the database would cut is refused first; emoji count as one', () => {
  expect(fieldErrors(fields({ city: 'x'.repeat(81) })).city).toBe('Use at most 80 characters.');
  expect(fieldErrors(fields({ city: '🪔'.repeat(80) }))).toEqual({});
});

test('there are 28 states and 8 union territories, each once', () => {
  expect(indianStates).toHaveLength(28);
  expect(unionTerritories).toHaveLength(8);
  expect(new Set([...indianStates, ...unionTerritories]).size).toBe(36);
});
