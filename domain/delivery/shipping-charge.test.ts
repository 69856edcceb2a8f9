import { expect, test } from 'vitest';
import { type CartShipping, cartShippingExamples, shippingCharge } from './shipping-charge.ts';

const south = { name: 'South', pincode_prefixes: ['56'], first_kg_paise: 9_000, extra_kg_paise: 4_000 };
const flat: CartShipping = { kind: 'flat', flat_paise: 4_000, zone_from_grams: null };
const from3kg: CartShipping = { ...flat, zone_from_grams: 3_000 };
const byZone: CartShipping = { ...flat, kind: 'zone' };

test.each([
  [flat, 500, 4_000],
  [flat, 30_000, 4_000],
  [from3kg, 2_999, 4_000],
  [from3kg, 3_000, 17_000],
  [byZone, 1_000, 9_000],
  [byZone, 1_001, 13_000],
])('with %j a cart of %i g pays %i paise', (cart, grams, charge) => {
  expect(shippingCharge(south, grams, 'cart', cart)).toBe(charge);
});

test.each(['direct', 'manual'] as const)('a %s order pays by zone and weight, whatever carts pay', (source) => {
  for (const cart of [flat, from3kg, byZone]) expect(shippingCharge(south, 2_000, source, cart)).toBe(13_000);
});

test('the setting is told by example', () => {
  expect(cartShippingExamples(south, flat)).toEqual(['A 2 kg cart to 560001 (South) is charged ₹40.']);
  expect(cartShippingExamples(south, byZone)).toEqual(['A 2 kg cart to 560001 (South) is charged ₹130.']);
  expect(cartShippingExamples(south, from3kg)).toEqual([
    'A 1.5 kg cart to 560001 (South) is charged ₹40.',
    'A 3 kg cart to 560001 (South) is charged ₹170.',
  ]);
  expect(cartShippingExamples(undefined, flat)).toEqual([]);
});
