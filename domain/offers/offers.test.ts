import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { holds } from '../../tests/support/properties.ts';
import { offerSums } from './applied.ts';
import { bestOffers, calculateOffers, cartProblem, savedPaise } from './calculate.ts';
import { codeSentence } from './code-problem.ts';
import { type Offer, plainCode, tidyCode } from './offer.ts';
import { conditionsOf, datesOf, whatItGives } from './offer-words.ts';
import { splitPaise } from './split.ts';

const offer = (some: Partial<Offer>): Offer => ({
  id: 1,
  code: null,
  name: 'Offer',
  kind: 'percent',
  percent: some.kind && some.kind !== 'percent' ? null : 10,
  amountPaise: null,
  maxDiscountPaise: null,
  minOrderPaise: 0,
  categories: [],
  combines: false,
  ...some,
});
const line = (paise: number, category = 'Laddu') => ({ paise, category });

describe('an amount split over lines', () => {
  test('goes to the largest remainders, in line order', () => {
    expect(splitPaise(100, [1, 1, 1])).toEqual([34, 33, 33]);
    expect(splitPaise(5, [10, 20, 70])).toEqual([1, 1, 3]);
    expect(splitPaise(7, [0, 0])).toEqual([0, 0]);
  });

  test('is exact, and takes from no line more than it has', () => {
    const weights = fc.array(fc.integer({ min: 0, max: 9_000_000_000 }), { minLength: 1, maxLength: 12 });
    holds(
      fc.property(weights, fc.double({ min: 0, max: 1, noNaN: true }), (paise, part) => {
        const whole = paise.reduce((sum, one) => sum + one, 0);
        const amount = Math.floor(whole * part);
        const shares = splitPaise(amount, paise);
        expect(shares.reduce((sum, share) => sum + share, 0)).toBe(amount);
        for (const [place, share] of shares.entries()) {
          expect(share).toBeGreaterThanOrEqual(0);
          expect(share).toBeLessThanOrEqual(paise[place] ?? 0);
        }
      }),
    );
  });
});

describe('offers of an order', () => {
  const lines = [line(20_000), line(10_000, 'Gift')];

  test('take percent first, then amounts from what is left, then the delivery charge', () => {
    const offers = [
      offer({ id: 1, kind: 'free-delivery' }),
      offer({ id: 2, kind: 'amount', amountPaise: 5_000 }),
      offer({ id: 3, percent: 10 }),
    ];
    const { discounts, effects } = calculateOffers(lines, 4_000, offers);
    expect(effects.map(({ offerId, discountPaise, shippingPaise }) => [offerId, discountPaise, shippingPaise])).toEqual(
      [
        [3, 3_000, 0],
        [2, 5_000, 0],
        [1, 0, 4_000],
      ],
    );
    expect(discounts).toEqual([5_333, 2_667]);
  });

  test('apply to their categories, up to their maximum, and leave at least ₹1', () => {
    expect(calculateOffers(lines, 0, [offer({ categories: ['Gift'], percent: 50 })]).discounts).toEqual([0, 5_000]);
    expect(calculateOffers(lines, 0, [offer({ percent: 50, maxDiscountPaise: 999 })]).discounts).toEqual([666, 333]);
    const all = calculateOffers(lines, 0, [offer({ percent: 100 })]).discounts;
    expect(30_000 - (all[0] ?? 0) - (all[1] ?? 0)).toBe(100);
  });

  test('stand alone unless both combine; the one that saves most counts', () => {
    const ten = offer({ id: 1 });
    const five = offer({ id: 2, percent: 5, combines: true });
    const forty = offer({ id: 3, kind: 'amount', amountPaise: 4_000, combines: true });
    expect(bestOffers([ten, five], lines, 0)).toEqual([ten]);
    expect(bestOffers([ten, five, forty], lines, 0)).toEqual([five, forty]);
    expect(bestOffers([], lines, 0)).toEqual([]);
    const code = offer({ id: 9, code: 'TEN' });
    expect(bestOffers([ten, code], lines, 0)).toEqual([code]);
  });

  test('say why a cart does not get them', () => {
    expect(cartProblem(offer({ categories: ['Halwa'] }), lines, 0)).toBe('other-goods');
    expect(cartProblem(offer({ minOrderPaise: 30_001 }), lines, 0)).toBe('minimum');
    expect(cartProblem(offer({ minOrderPaise: 30_000 }), lines, 0)).toBeNull();
    expect(cartProblem(offer({ kind: 'free-delivery' }), lines, 0)).toBe('no-delivery-charge');
    expect(cartProblem(offer({ percent: 1 }), [line(20)], 0)).toBe('too-small');
  });

  test('never take more than the goods and the delivery', () => {
    const anyOffer = fc.record({
      id: fc.integer({ min: 1, max: 9 }),
      kind: fc.constantFrom<Offer['kind']>('percent', 'amount', 'free-delivery'),
      percent: fc.integer({ min: 1, max: 100 }),
      amountPaise: fc.integer({ min: 100, max: 1_000_000 }),
    });
    const anyLines = fc.array(fc.integer({ min: 1, max: 500_000 }), { minLength: 1, maxLength: 6 });
    holds(
      fc.property(fc.array(anyOffer, { maxLength: 4 }), anyLines, (wishes, amounts) => {
        const goods = amounts.reduce((sum, paise) => sum + paise, 0);
        const { discounts, effects } = calculateOffers(
          amounts.map((paise) => line(paise)),
          4_000,
          wishes.map((wish) => offer(wish)),
        );
        const discount = discounts.reduce((sum, paise) => sum + paise, 0);
        expect(effects.reduce((sum, { discountPaise }) => sum + discountPaise, 0)).toBe(discount);
        expect(discount).toBeLessThanOrEqual(Math.max(0, goods - 100));
        expect(savedPaise(effects)).toBeLessThanOrEqual(goods + 4_000);
      }),
    );
  });
});

describe('in words', () => {
  test('a code is the same however it is typed', () => {
    expect(tidyCode(' welcome-50 ')).toBe('WELCOME50');
    expect(plainCode('\0wel\ud800come 50%')).toBe('WELCOME50');
    expect([plainCode('  '), plainCode('🪔%')]).toEqual(['', '?']);
  });

  test('an offer says what it gives, to whom and when', () => {
    expect(whatItGives(offer({ maxDiscountPaise: 20_000 }))).toBe('10% off, up to ₹200');
    expect(whatItGives(offer({ kind: 'amount', amountPaise: 5_000 }))).toBe('₹50 off');
    expect(whatItGives(offer({ kind: 'free-delivery' }))).toBe('Free delivery');
    expect(
      conditionsOf({
        minOrderPaise: 30_000,
        categories: ['Gift'],
        isFirstOrderOnly: true,
        maxUsesPerCustomer: 1,
        combines: true,
      }),
    ).toEqual(['from ₹300', 'Gift', 'first order', 'once per customer', 'combines']);
    expect(datesOf('2026-11-01', '2026-11-09')).toBe('1 Nov 2026 to 9 Nov 2026');
  });

  test.each([
    [{ reason: 'unknown' }, 'We don’t know the code DIWALI10. Check the spelling.'],
    [{ reason: 'ended' }, 'DIWALI10 has ended.'],
    [{ reason: 'minimum', min_order_paise: 50_000, missing_paise: 12_000 }, 'DIWALI10 needs ₹500: ₹120 more.'],
    [{ reason: 'other-goods', categories: ['Gift', 'Laddu'] }, 'DIWALI10 is for Gift, Laddu only.'],
    [{ reason: 'used-before', most: 1 }, 'You’ve used DIWALI10 already.'],
    [{ reason: 'something new' }, 'DIWALI10 can’t be used for this order.'],
  ])('%o', (problem, sentence) => {
    expect(codeSentence({ code: 'DIWALI10', ...problem })).toBe(sentence);
  });

  test('an order lists its offers', () => {
    expect(
      offerSums([
        { code: 'TEN', name: 'Ten off', discount_paise: 1_000, shipping_paise: 0 },
        { code: null, name: 'Above ₹999', discount_paise: 0, shipping_paise: 4_000 },
      ]),
    ).toEqual([
      { label: 'Ten off (TEN)', value: '−₹10' },
      { label: 'Above ₹999', value: 'Free delivery' },
    ]);
    expect(offerSums(null)).toEqual([]);
  });
});
