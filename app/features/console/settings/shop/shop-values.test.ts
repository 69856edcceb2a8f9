import { expect, test } from 'vitest';
import type { ShopValues } from '#contracts/console/shop.ts';
import { checkShop } from './shop-values.ts';

const facts: ShopValues = {
  name: 'Mithaas',
  legal_name: 'Mithaas Sweets Private Limited',
  address: '17 Ranade Road, Mumbai 400028',
  state: 'Maharashtra',
  fssai_number: '10000000000001',
  gstin: '27AAAAA0000A1Z2',
  email: 'hello@mithaas.example',
  whatsapp_number: '+919000000000',
  instagram_url: 'https://instagram.example/mithaas',
  facebook_url: '',
  grievance_officer: 'Nandini Kamat',
  grievance_email: '',
  grievance_phone: '',
  grievance_hours: '',
};
const checked = (changes: Partial<ShopValues>) => checkShop({ ...facts, ...changes });

test('what was read is what is saved, and most of it may be empty', () => {
  expect(checked({})).toEqual({ ok: true, value: facts });
  const empty = Object.fromEntries(Object.keys(facts).map((name) => [name, ''])) as ShopValues;
  expect(checkShop(empty)).toEqual({ ok: false, errors: { name: 'Please fill in this field.' } });
  expect(checkShop({ ...empty, name: 'Mithaas' })).toMatchObject({ ok: true });
});

test.each<[Partial<ShopValues>, Partial<ShopValues>]>([
  [{ fssai_number: '1000 0000 000001' }, { fssai_number: '10000000000001' }],
  [{ gstin: '27 aaaaa0000a 1z2' }, { gstin: '27AAAAA0000A1Z2' }],
  [{ whatsapp_number: '098765 43210' }, { whatsapp_number: '+919876543210' }],
  [{ whatsapp_number: '+91 98765-43210' }, { whatsapp_number: '+919876543210' }],
  [{ whatsapp_number: '9198765432' }, { whatsapp_number: '+919198765432' }],
  [{ grievance_phone: '(022) 2345 6789' }, { grievance_phone: '+912223456789' }],
])('%j is understood', (typed, meant) => {
  expect(checked(typed)).toMatchObject({ ok: true, value: meant });
});

test.each<[Partial<ShopValues>, keyof ShopValues, RegExp]>([
  [{ name: ' ' }, 'name', /fill/],
  [{ state: 'Bombay' }, 'state', /Choose/],
  [{ fssai_number: '123' }, 'fssai_number', /14-digit/],
  [{ gstin: '27AAAAA0000A1Z' }, 'gstin', /15 characters/],
  [{ gstin: '27AAAAA0000A1Z5' }, 'gstin', /not valid/],
  [{ state: 'Karnataka' }, 'gstin', /Karnataka starts with 29/],
  [{ email: 'hello@mithaas' }, 'email', /hello@shop.in/],
  [{ grievance_email: 'two@a.in, b@c.in' }, 'grievance_email', /hello@shop.in/],
  [{ whatsapp_number: '+44 7700 900000' }, 'whatsapp_number', /mobile/],
  [{ whatsapp_number: '2223456789' }, 'whatsapp_number', /mobile/],
  [{ instagram_url: 'javascript:alert(1)' }, 'instagram_url', /https/],
  [{ facebook_url: 'facebook.com/shop' }, 'facebook_url', /https/],
  [{ address: 'x'.repeat(401) }, 'address', /400/],
])('%j is refused at its field', (typed, field, message) => {
  expect(checked(typed)).toEqual({ ok: false, errors: { [field]: expect.stringMatching(message) } });
});
