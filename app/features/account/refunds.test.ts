import { expect, test } from 'vitest';
import { refundOf } from './order-fixtures.ts';
import { type RefundRow, refundLines, refundsFrom, refundTitle } from './refunds.ts';

const row = (some: Partial<RefundRow>): RefundRow => ({
  id: 'r',
  order_id: null,
  amount_paise: 130_000,
  status: 'queued',
  reason: 'sold-out',
  created_at: '2026-11-16 04:01:00+00',
  processed_at: null,
  due_on: '2026-11-24',
  accepted_at: null,
  next_try_at: null,
  method: null,
  paid_on: null,
  reference: null,
  provider_refund_id: null,
  attempted_at: '2026-11-16 04:01:00+00',
  ...some,
});

test.each([
  [{ status: 'queued' }, 'under-way', 'Refund on its way'],
  [{ status: 'pending' }, 'under-way', 'Refund on its way'],
  [{ status: 'queued', next_try_at: '2026-11-17 04:01:00+00' }, 'retried', 'Refund delayed'],
  [{ status: 'processed' }, 'done', 'Refunded'],
  [{ status: 'failed' }, 'failed', 'Refund delayed'],
])('a refund that is %j is %s', (some, state, title) => {
  const [refund] = refundsFrom([row(some)]);
  expect(refund).toMatchObject({ state, orderId: null, amountPaise: 130_000, dueOn: '2026-11-24' });
  expect(refund && refundTitle(refund)).toBe(title);
});

test('the bank’s reference comes before the provider’s', () => {
  const references = refundsFrom([
    row({ provider_refund_id: 'rfnd_1' }),
    row({ provider_refund_id: 'rfnd_1', reference: '74332' }),
    row({}),
  ]).map(({ reference }) => reference);
  expect(references).toEqual(['rfnd_1', '74332', null]);
});

const asked = 'Requested on Mon, 16 Nov, 9:31 am';
const now = new Date('2026-11-18T04:01:00Z');
// The last moment of the due day in India, and the first one after it.
const dueDay = new Date('2026-11-24T18:29:59Z');
const dayAfter = new Date('2026-11-24T18:30:00Z');

test('a refund says by when it is sent, and from midnight after that day that it is late', () => {
  expect(refundLines(refundOf({}), now)).toEqual([asked, 'We’ll send it to your bank by Tue, 24 Nov.']);
  expect(refundLines(refundOf({}), dueDay)).toEqual([asked, 'We’ll send it to your bank by Tue, 24 Nov.']);
  expect(refundLines(refundOf({}), dayAfter)).toEqual([
    asked,
    'We promised it by Tue, 24 Nov and are sorry for the delay. We’re following it up with the bank; you don’t need to do anything.',
  ]);
});

test('a refund that was sent says when, how long banks take, and the reference', () => {
  const doneAt = new Date('2026-11-17T04:01:00Z');
  expect(refundLines(refundOf({ state: 'done', doneAt, reference: '74332' }), now)).toEqual([
    asked,
    'Sent to your bank on Tue, 17 Nov, 9:31 am',
    'Banks usually take 5 to 7 business days to show it.',
    'Reference 74332',
  ]);
});

test('a refund by hand says how it was paid back, on which day, and the reference', () => {
  const byHand = { method: 'upi', paidOn: '2026-11-17' };
  expect(refundLines(refundOf({ state: 'done', byHand, reference: '432109876543' }), now)).toEqual([
    asked,
    'Paid back by UPI on Tue, 17 Nov',
    'Reference 432109876543',
  ]);
});

test('a refund that failed says when it is tried again, or that we pay it another way', () => {
  const nextTryAt = new Date('2026-11-19T04:01:00Z');
  expect(refundLines(refundOf({ state: 'retried', nextTryAt }), now)).toEqual([
    asked,
    'Your bank didn’t accept it yet. We’ll try again on Thu, 19 Nov; you don’t need to do anything.',
  ]);
  expect(refundLines(refundOf({ state: 'retried', nextTryAt: now }), now)[1]).toContain('try again soon');
  expect(refundLines(refundOf({ state: 'failed' }), now)).toEqual([
    asked,
    'It hasn’t gone through. We’ll pay it back another way and contact you.',
  ]);
  expect(refundLines(refundOf({ state: 'failed' }), dayAfter)[1]).toContain('We promised it by Tue, 24 Nov');
});
