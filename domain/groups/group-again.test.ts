import { expect, test } from 'vitest';
import { groupAgainFrom } from './group-again.ts';
import { recipientErrors } from './recipient.ts';

const line = {
  product_id: 9,
  name: 'Besan Laddu',
  size: 500,
  has_size: true,
  quantity: 1,
  paise_then: 30000,
  paise_now: 30000,
  is_sold: true,
  is_available: true,
};
const recipient = (name: string, change: object = {}) => ({
  place: 1,
  name,
  phone: '9876543210',
  building_no: '12, Shanti Sadan',
  street: 'MG Road',
  city: 'Pune',
  state: 'Maharashtra',
  zip: '411001',
  is_reached: true,
  note: 'Happy Diwali!',
  email: null,
  lines: [line],
  ...change,
});
const card = { motif: 'diwali', sender_name: 'Acme Traders' };

test('a list becomes a draft that can be checked as it is', () => {
  const again = groupAgainFrom({ card, recipients: [recipient('Asha'), recipient('Ravi')] });
  expect(again?.changes).toEqual([]);
  expect(again?.draft).toMatchObject({
    boxes: [[{ productId: 9, size: 500, quantity: 1 }]],
    card: { motif: 'diwali', senderName: 'Acme Traders', note: 'Happy Diwali!' },
    begun: null,
    paying: null,
  });
  expect(again?.draft.rows.map(({ id, fields }) => [id, fields.name, fields.box, fields.note])).toEqual([
    [1, 'Asha', 'A', ''],
    [2, 'Ravi', 'A', ''],
  ]);
  for (const { fields } of again?.draft.rows ?? []) expect(recipientErrors(fields, 1)).toEqual({});
});

test('each kind of box has its letter, and notes of their own stay', () => {
  const big = [{ ...line, quantity: 3 }];
  const again = groupAgainFrom({
    card,
    recipients: [recipient('Asha'), recipient('Ravi', { lines: big, note: 'Thank you!' })],
  });
  expect(again?.draft.boxes).toHaveLength(2);
  expect(again?.draft.rows.map(({ fields }) => [fields.box, fields.note])).toEqual([
    ['A', 'Happy Diwali!'],
    ['B', 'Thank you!'],
  ]);
  expect(again?.draft.card.note).toBe('');
});

test('what changed is said once, however many recipients it is about', () => {
  const lines = [
    { ...line, paise_now: 32000 },
    { ...line, product_id: 10, name: 'Kaju Katli', is_sold: false, is_available: false },
  ];
  const again = groupAgainFrom({
    card,
    recipients: ['Asha', 'Ravi', 'Lata', 'Om'].map((name) =>
      recipient(name, { lines, is_reached: false, zip: '744101' }),
    ),
  });
  expect(again?.draft.boxes).toEqual([[{ productId: 9, size: 500, quantity: 1 }]]);
  expect(again?.changes).toEqual([
    'Besan Laddu (500 g) now costs ₹320. It was ₹300.',
    'Kaju Katli (500 g) is no longer available and is left out.',
    'We no longer deliver to Asha (744101), Ravi (744101), Lata (744101) and 1 more. Change the address or remove them.',
  ]);
});

test.each([null, undefined, {}, { card, recipients: [] }, { card, recipients: 'x' }])('%j is no group', (wrong) =>
  expect(groupAgainFrom(wrong)).toBeNull(),
);
