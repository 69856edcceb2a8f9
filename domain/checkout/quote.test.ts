import { expect, test } from 'vitest';
import { hasTimeToPay, isDeliveredLater, parseQuote } from './quote.ts';

const answer = {
  quote_id: 'e7b1',
  sub_total: 727.5,
  tax: 36.38,
  shipping_rate: 40,
  shipping_tax: 1.9,
  total: 803.88,
  delivery_by: '2026-11-18',
  expires_at: '2026-11-16T07:00:00.000Z',
};

test('rupees become paise exactly', () => {
  expect(parseQuote(answer)).toEqual({
    id: 'e7b1',
    subTotalPaise: 72_750,
    taxPaise: 3638,
    shippingPaise: 4000,
    shippingTaxPaise: 190,
    totalPaise: 80_388,
    offers: [],
    codeProblem: null,
    deliveryBy: '2026-11-18',
    collectFrom: null,
    expiresAt: new Date('2026-11-16T07:00:00Z'),
  });
  expect(parseQuote({ ...answer, tax: 0.1 + 0.2 })?.taxPaise).toBe(30);
});

test('an invalid response is not a quote', () => {
  for (const odd of [
    null,
    'quote',
    {},
    { ...answer, quote_id: 1 },
    { ...answer, total: 'much' },
    { ...answer, tax: null },
  ])
    expect(parseQuote(odd)).toBeNull();
  expect(parseQuote({ ...answer, delivery_by: null })?.deliveryBy).toBeNull();
  expect(parseQuote({ ...answer, delivery_by: null, collect_from: '2026-11-18' })?.collectFrom).toBe('2026-11-18');
});

test('a quote is used while there is time to pay with it', () => {
  const quote = parseQuote(answer);
  if (!quote) throw new Error('no quote');
  expect(hasTimeToPay(quote, new Date('2026-11-16T06:59:00Z'))).toBe(true);
  expect(hasTimeToPay(quote, new Date('2026-11-16T06:59:58Z'))).toBe(false);
  expect(hasTimeToPay(quote, new Date('2026-11-16T07:01:00Z'))).toBe(false);
});

test('an agreed day may come nearer, but not move away unseen', () => {
  const [agreed, later, collected] = ['2026-11-18', '2026-11-19', null].map((delivery_by) =>
    parseQuote({ ...answer, delivery_by }),
  );
  if (!agreed || !later || !collected) throw new Error('no quote');
  expect([isDeliveredLater(later, agreed), isDeliveredLater(agreed, agreed), isDeliveredLater(agreed, later)]).toEqual([
    true,
    false,
    false,
  ]);
  expect([isDeliveredLater(later, collected), isDeliveredLater(collected, later)]).toEqual([false, false]);
});
