import { expect, test } from 'vitest';
import { orderOf } from './order-fixtures.ts';
import { withGifts } from './order-gifts.ts';

const listed = {
  order_id: 'a',
  motif: 'rakhi',
  note: 'For you',
  sender_name: 'Meera',
  recipient_email: null,
  recipient: 'Arjun',
  city: 'Pune',
};

test('a gift stands with its order, and with no other', () => {
  const [gift, other] = withGifts([orderOf({ id: 'a' }), orderOf({ id: 'b' })], [listed]);
  expect(gift?.gift).toEqual({
    motif: 'rakhi',
    note: 'For you',
    senderName: 'Meera',
    recipientEmail: '',
    recipient: 'Arjun',
    city: 'Pune',
  });
  expect(other?.gift).toBeNull();
});

test.each([null, 'x', [{ ...listed, order_id: 'c' }], [{ ...listed, motif: 'easter' }]])(
  'what makes no sense is left out: %j',
  (rows) => {
    expect(withGifts([orderOf({ id: 'a' })], rows)[0]?.gift).toBeNull();
  },
);
