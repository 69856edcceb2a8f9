import { expect, test } from 'vitest';
import { nextPollDelay, parseCheckoutState } from './checkout-state.ts';

test('each state has what its page shows', () => {
  expect(parseCheckoutState({ state: 'confirming', total_paise: 71_200 })).toEqual({
    state: 'confirming',
    totalPaise: 71_200,
  });
  expect(
    parseCheckoutState({
      state: 'ordered',
      total_paise: 71_200,
      number: 2501,
      offers: [],
      delivery_by: '2026-11-18',
      fulfilment: 'delivery',
      address: ['Meera Joshi', '4B', '', '110001'],
      items: [
        { name: 'Besan Laddu', image: '/a.webp', quantity: 2, size: 500, line_paise: 64_000 },
        { name: 'Rakhi Sweet Thali', image: '/b.webp', quantity: 1, size: null, line_paise: 79_950 },
      ],
    }),
  ).toEqual({
    state: 'ordered',
    totalPaise: 71_200,
    number: 2501,
    offers: [],
    deliveryBy: '2026-11-18',
    deliverOn: null,
    missedDay: null,
    fulfilment: 'delivery',
    isGift: false,
    address: ['Meera Joshi', '4B', '110001'],
    items: [
      { name: 'Besan Laddu', image: '/a.webp', quantity: 2, sizeGrams: 500, linePaise: 64_000 },
      { name: 'Rakhi Sweet Thali', image: '/b.webp', quantity: 1, sizeGrams: null, linePaise: 79_950 },
    ],
  });
  expect(parseCheckoutState({ state: 'ordered', total_paise: 100, number: 1, is_gift: true })).toMatchObject({
    isGift: true,
  });
  // An older backend tells neither.
  expect(parseCheckoutState({ state: 'ordered', total_paise: 100, number: 1 })).toMatchObject({
    items: [],
    address: [],
  });
  const refund = { reason: 'sold-out', amount_paise: 71_200, status: 'processed' };
  expect(parseCheckoutState({ state: 'refunded', refund })).toEqual({
    state: 'refunded',
    amountPaise: 71_200,
    reason: 'sold-out',
    progress: 'done',
  });
  for (const [status, progress] of [
    ['queued', 'under-way'],
    ['pending', 'under-way'],
    ['failed', 'failed'],
  ])
    expect(parseCheckoutState({ state: 'refunded', refund: { ...refund, status } })).toMatchObject({ progress });
  expect(parseCheckoutState({ state: 'lapsed' })).toEqual({ state: 'lapsed' });
  for (const odd of [null, undefined, {}, { state: 'new' }])
    expect(parseCheckoutState(odd)).toEqual({ state: 'unknown' });
});

test('polls every two seconds at first, slower later', () => {
  const looks = [0, 19_000, 20_000, 119_000, 120_000, 3_600_000].map((waited) => nextPollDelay('confirming', waited));
  expect(looks).toEqual([2000, 2000, 5000, 5000, 15_000, 15_000]);
});

test('an expired payment is polled for ten minutes more, a final state never', () => {
  const looks = [0, 59_000, 60_000, 599_000, 600_000].map((waited) => nextPollDelay('lapsed', waited));
  expect(looks).toEqual([5000, 5000, 20_000, 20_000, null]);
  for (const state of ['ordered', 'refunded', 'unknown'] as const) expect(nextPollDelay(state, 0)).toBeNull();
});
