import { expect, test } from 'vitest';
import {
  cardNote,
  deliveryMessage,
  orderBeforeWords,
  parseDeliveryCheck,
  type Spoiled,
  spoiledCaution,
  spoiledSentences,
} from './delivery-messages.ts';

const answer = {
  ok: true,
  zone: 'Mumbai',
  today: '2026-11-16',
  leaves_on: '2026-11-16',
  arrives_on: '2026-11-17',
  order_before: '2026-11-16T08:30:00+00:00',
  charge_paise: 5500,
  cart_charge_paise: 4000,
  closed: null,
  collect_from: '2026-11-16',
  spoiled: [],
};
const jalebi: Spoiled = {
  product_id: 1,
  product: 'Hot Jalebi',
  shelf_life_days: 1,
  travel_days: 1,
  can_be_collected: true,
};
const laddu = { ...jalebi, product_id: 2, product: 'Motichoor Laddu', shelf_life_days: 4, can_be_collected: false };

const told = (change: object, bought: 'now' | 'from-cart' = 'now') => {
  const check = parseDeliveryCheck({ ...answer, ...change });
  return check && deliveryMessage(check, '400028', bought);
};

test('one sweet shows its arrival, the order deadline and both charges', () => {
  expect(told({})).toEqual({
    tone: 'good',
    head: 'Arrives by Tue, 17 Nov',
    lines: ['if ordered before 2 pm today', 'Delivery to 400028: ₹55 if you buy it now, ₹40 in a cart'],
    instead: [],
  });
});

test('where heavy carts pay by zone, the weight is said', () => {
  expect(told({ cart_flat_below_grams: 3000 })?.lines).toContain(
    'Delivery to 400028: ₹55 if you buy it now, ₹40 in a cart under 3 kg',
  );
});

test('the cart has one charge, and so has a zone that takes the same', () => {
  expect(told({}, 'from-cart')?.lines).toContain('Delivery to 400028: ₹40');
  expect(told({ charge_paise: 4000 })?.lines).toContain('Delivery to 400028: ₹40');
});

test.each([
  ['2026-11-15', '2026-11-18', 'We are closed until Wed, 18 Nov: Diwali.'],
  ['2026-11-16', '2026-11-16', 'We are closed until Mon, 16 Nov: Diwali.'],
  ['2026-11-17', '2026-11-17', 'We are closed on Tue, 17 Nov: Diwali.'],
  ['2026-11-17', '2026-11-18', 'We are closed from Tue, 17 Nov to Wed, 18 Nov: Diwali.'],
])('a closure from %s to %s is named', (from, until, words) => {
  const closed = { from, until, reason: 'Diwali' };
  expect(told({ closed })?.lines.at(-1)).toBe(words);
  // It may be what makes the way too long.
  expect(told({ closed, spoiled: [laddu] })?.lines.at(-1)).toBe(words);
});

test.each([
  ['outside-zones', 'We don’t deliver to 400028 yet.'],
  ['closed', 'We’re closed right now and can’t give you a delivery date. Please write to us.'],
  ['not-a-pincode', 'Enter a 6-digit pincode.'],
  ['too-heavy', 'One order can weigh at most 30 kg.'],
  ['something new', 'We’re closed right now and can’t give you a delivery date. Please write to us.'],
])('refused as %s', (reason, head) => {
  expect(told({ ok: false, reason })).toEqual({ tone: 'bad', head, lines: [], instead: [] });
});

test('a sweet that would spoil shows the reason and alternatives', () => {
  const instead = [{ product_id: 9, product: 'Besan Laddu' }];
  expect(told({ spoiled: [laddu], instead })).toEqual({
    tone: 'bad',
    head: 'Can’t reach 400028 fresh (1 day in transit, stays fresh for 4).',
    lines: [],
    instead,
  });
  expect(told({ spoiled: [jalebi], collect_from: '2026-11-17' })?.lines).toEqual([
    'You can pick it up at our counter.',
    'Our counter opens again on Tue, 17 Nov.',
  ]);
});

test('the other sweets of a cart show their day', () => {
  const check = parseDeliveryCheck({ ...answer, spoiled: [laddu] });
  expect(check && deliveryMessage(check, '400028', 'from-cart', 3)).toMatchObject({
    head: 'Motichoor Laddu can’t reach 400028 fresh (1 day in transit, stays fresh for 4).',
    lines: ['Everything else arrives by Tue, 17 Nov.'],
  });
});

test('several that would spoil are one sentence', () => {
  expect(spoiledSentences([jalebi, { ...laddu, travel_days: 6 }], '110001')).toBe(
    'Hot Jalebi and Motichoor Laddu can’t reach 110001 fresh (1 day in transit, stay fresh for 1 to 4 days).',
  );
  expect(spoiledSentences([jalebi], '400028')).toMatch(/You can pick it up at our counter\.$/);
  expect(spoiledSentences([jalebi, { ...jalebi, product: 'Dhokla' }], '110001')).toMatch(/pick them up/);
  expect(spoiledSentences([jalebi, jalebi, jalebi, laddu], '110001')).toMatch(/^Hot Jalebi, Hot Jalebi and 2 more/);
  expect(spoiledSentences([], '110001')).toBe('');
});

test('a card says by when, or why not', () => {
  const on = (change: object, id: number) => {
    const check = parseDeliveryCheck({ ...answer, ...change });
    return check && cardNote(check, id, '560034');
  };
  expect(on({}, 9)).toEqual({ tone: 'good', text: 'Arrives by Tue, 17 Nov' });
  expect(on({ spoiled: [laddu] }, 9)).toEqual({ tone: 'good', text: 'Arrives by Tue, 17 Nov' });
  expect(on({ spoiled: [laddu] }, 2)).toEqual({ tone: 'bad', text: 'Can’t reach 560034 fresh' });
  expect(on({ spoiled: [jalebi] }, 1)).toEqual({ tone: 'bad', text: 'Pick up at our counter' });
  expect(on({ ok: false, reason: 'outside-zones' }, 9)).toEqual({ tone: 'bad', text: 'No delivery to 560034 yet' });
  expect(on({ ok: false, reason: 'closed' }, 9)).toBeNull();
});

test('the hour of the cut-off is said with the day it counts for', () => {
  const before = (moment: string) => orderBeforeWords(new Date(moment), '2026-12-31');
  expect(before('2026-12-31T08:30:00Z')).toBe('if ordered before 2 pm today');
  expect(before('2027-01-01T09:00:00Z')).toBe('if ordered before 2:30 pm tomorrow');
  expect(before('2027-01-04T04:30:00Z')).toBe('if ordered before 10 am on Mon, 4 Jan');
});

test.each([
  null,
  undefined,
  7,
  'x',
  {},
  { ok: true },
  { ...answer, order_before: 'soon' },
  { ...answer, arrives_on: 3 },
])('%j is no answer', (value) => expect(parseDeliveryCheck(value)).toBeNull());

test('a phone order shows a warning and is not blocked', () => {
  expect(spoiledCaution([laddu, { ...jalebi, travel_days: 6 }])).toBe(
    'After 1 day in transit, less than a third of the shelf life would be left: Motichoor Laddu (stays fresh for 4 days), Hot Jalebi (stays fresh for 1 day). Customers can’t order this, but you can.',
  );
});
