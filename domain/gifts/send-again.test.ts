import { expect, test } from 'vitest';
import { boxesToSend, giftChanges, linesToSend, parseGiftAgain } from './send-again.ts';

const laddu = {
  product_id: 9,
  name: 'Besan Laddu',
  size: 1000,
  has_size: true,
  quantity: 2,
  paise_then: 30000,
  paise_now: 30000,
  is_sold: true,
  is_available: true,
};
const to = {
  address_id: '3f2a9c1b-6d5e-4f70-8a91-b2c3d4e5f607',
  is_own: false,
  is_changed: false,
  is_reached: true,
  name: 'Kamala Devi',
  phone: '9876543210',
  building_no: '12, Shanti Sadan',
  street: 'MG Road',
  city: 'Pune',
  state: 'Maharashtra',
  zip: '411001',
};
const answer = {
  gift: { note: 'शुभ दीपावली', motif: 'diwali', sender_name: 'Mirchi', recipient_email: null },
  to,
  lines: [laddu],
};
const changesOf = (change: { to?: object; lines?: object[] }) => {
  const again = parseGiftAgain({ ...answer, ...change });
  return again && giftChanges(again);
};

test('a gift that can be sent as it was has no changes, and its lines go into the cart', () => {
  const again = parseGiftAgain(answer);
  expect(again).toMatchObject({
    gift: { note: 'शुभ दीपावली', motif: 'diwali', senderName: 'Mirchi', recipientEmail: '' },
    to: { addressId: to.address_id, name: 'Kamala Devi' },
  });
  expect(again && giftChanges(again)).toEqual([]);
  expect(linesToSend(again?.lines ?? [])).toEqual([{ productId: 9, size: 1000, quantity: 2 }]);
});

test('a new price is said for the size that was bought', () => {
  expect(changesOf({ lines: [{ ...laddu, paise_now: 32000 }] })).toEqual([
    'Besan Laddu (1 kg) now costs ₹640. It was ₹600.',
  ]);
  const piece = { ...laddu, name: 'Diwali Box', has_size: false, size: 500, paise_now: 29900 };
  expect(changesOf({ lines: [piece] })).toEqual(['Diwali Box now costs ₹299. It was ₹300.']);
});

test('what is gone or out of stock is said and left out', () => {
  const lines = [
    { ...laddu, is_sold: false, is_available: false, paise_now: null },
    { ...laddu, name: 'Kaju Katli', is_available: false },
  ];
  expect(changesOf({ lines })).toEqual([
    'Besan Laddu (1 kg) is no longer available and is left out.',
    'Kaju Katli (1 kg) is out of stock right now and is left out.',
  ]);
  expect(linesToSend(parseGiftAgain({ ...answer, lines })?.lines ?? [])).toEqual([]);
});

test('a box that the customer filled is filled again', () => {
  const box = {
    ...laddu,
    product_id: null,
    box_id: 3,
    contents: [{ product_id: 9, pieces: 6 }],
    name: 'Small (6 Besan Laddu)',
    size: 500,
    has_size: false,
  };
  const lines = parseGiftAgain({ ...answer, lines: [laddu, box] })?.lines ?? [];
  expect(linesToSend(lines)).toEqual([{ productId: 9, size: 1000, quantity: 2 }]);
  expect(boxesToSend(lines)).toEqual([{ boxId: 3, contents: [{ productId: 9, pieces: 6 }], quantity: 2 }]);
  const gone = { ...box, is_sold: false, is_available: false };
  expect(changesOf({ lines: [gone] })).toEqual(['Small (6 Besan Laddu) is no longer available and is left out.']);
  expect(boxesToSend(parseGiftAgain({ ...answer, lines: [gone] })?.lines ?? [])).toEqual([]);
});

test('an address that was deleted, changed, or is no longer reached is said', () => {
  expect(changesOf({ to: { ...to, address_id: null } })).toEqual([
    'The address of Kamala Devi is no longer in your address book. We’ll add it again.',
  ]);
  expect(changesOf({ to: { ...to, address_id: null, is_own: true } })).toEqual([]);
  expect(changesOf({ to: { ...to, is_changed: true } })).toEqual([
    'The address has changed since. It goes to the one in your address book.',
  ]);
  expect(changesOf({ to: { ...to, is_reached: false } })).toEqual([
    'We no longer deliver to 411001. Choose another address at checkout.',
  ]);
});

test.each([null, undefined, {}, [], 'x', { ...answer, lines: null }, { ...answer, gift: { motif: 'x' } }])(
  '%j is no gift',
  (wrong) => expect(parseGiftAgain(wrong)).toBeNull(),
);

test('what is sold in another way today is said and left out', () => {
  const piece = { ...laddu, is_other_size: true };
  const weighed = { ...laddu, name: 'Diwali Box', has_size: false, size: 500, is_other_size: true };
  expect(changesOf({ lines: [piece, weighed] })).toEqual([
    'Besan Laddu is now sold by the piece and is left out. Choose how much you’d like in the shop.',
    'Diwali Box is now sold by weight and is left out. Choose how much you’d like in the shop.',
  ]);
  const again = parseGiftAgain({ ...answer, lines: [piece, weighed] });
  expect(linesToSend(again?.lines ?? [])).toEqual([]);
});

test('a box says which of its sweets can’t be had', () => {
  const box = {
    ...laddu,
    product_id: null,
    name: 'Your own box of 9',
    has_size: false,
    box_id: 2,
    contents: [{ product_id: 9, pieces: 9 }],
    is_available: false,
    missing: ['Kaju Katli', 'Peda'],
  };
  expect(changesOf({ lines: [box] })).toEqual([
    'Your own box of 9: Kaju Katli, Peda can’t be had right now, so this box is left out. You can fill a new one.',
  ]);
});
