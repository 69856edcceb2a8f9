import { expect, test } from 'vitest';
import { gstStateCodes } from '../gst-states.ts';
import { indianStates, unionTerritories } from '../indian-states.ts';
import { type ShopFields, shopGaps } from './shop-gaps.ts';

const complete: ShopFields = {
  name: 'Mithaas',
  legal_name: 'Mithaas Sweets Private Limited',
  address: '17 Ranade Road, Mumbai',
  state: 'Maharashtra',
  fssai_number: '10000000000001',
  gstin: '27AAAAA0000A1Z2',
  email: 'hello@mithaas.example',
  whatsapp_number: '',
  instagram_url: '',
  facebook_url: '',
  grievance_officer: 'Nandini Kamat',
  grievance_email: '',
  grievance_phone: '+919000000099',
  grievance_hours: '',
};
const missing = (changes: Partial<ShopFields>) => shopGaps({ ...complete, ...changes }).map(({ field }) => field);

test('a shop that says what the law asks for misses nothing; links and hours are its own affair', () => {
  expect(missing({})).toEqual([]);
});

test.each(['legal_name', 'address', 'state', 'fssai_number', 'gstin', 'grievance_officer'] as const)(
  'without its %s it is told what that is for',
  (field) => {
    const [gap, ...others] = shopGaps({ ...complete, [field]: ' ' });
    expect(gap).toMatchObject({ field, meaning: expect.stringMatching(/\.$/) });
    expect(others).toEqual([]);
  },
);

test('one way to reach the shop, and one to reach the officer, is enough', () => {
  expect(missing({ email: '', whatsapp_number: '+919000000000' })).toEqual([]);
  expect(missing({ email: '', whatsapp_number: '' })).toEqual(['email']);
  expect(missing({ grievance_email: 'a@b.in', grievance_phone: '' })).toEqual([]);
  expect(missing({ grievance_phone: '' })).toEqual(['grievance_email']);
});

test('every state and union territory has its code, and no two the same', () => {
  const names = [...indianStates, ...unionTerritories];
  expect(Object.keys(gstStateCodes).toSorted()).toEqual(names.toSorted());
  expect(new Set(Object.values(gstStateCodes)).size).toBe(names.length);
});
