import { expect, test } from 'vitest';
import type { Purchase } from '#contracts/console/purchases.ts';
import { messageLink, messageText } from './purchase-message.ts';

const purchase = {
  id: 14,
  expected_on: '2026-11-18',
  vendor: { phone: '+91 9820012345' },
  lines: [
    { item_name: 'Cow ghee', quantity: 75, unit: 'kg' },
    { item_name: 'Boxes & ribbons', quantity: 1, unit: 'piece' },
  ],
} as unknown as Purchase;

test('an order reads as one would write it', () => {
  expect(messageText(purchase)).toBe(
    'Order 14\n- Cow ghee: 75 kg\n- Boxes & ribbons: 1 piece\nPlease deliver by Wed, 18 Nov.',
  );
});

test('it opens a chat with the vendor, whatever is in the names', () => {
  expect(messageLink(purchase)).toBe(`https://wa.me/919820012345?text=${encodeURIComponent(messageText(purchase))}`);
  expect(messageLink({ ...purchase, vendor: { ...purchase.vendor, phone: '' } })).toBeNull();
});
