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
  ...some,
});

test.each([
  ['queued', 'under-way', 'Refund on its way'],
  ['pending', 'under-way', 'Refund on its way'],
  ['processed', 'done', 'Refunded'],
  ['failed', 'failed', 'Refund delayed'],
])('a %s refund is %s', (status, state, title) => {
  const [refund] = refundsFrom([row({ status })]);
  expect(refund).toMatchObject({ state, orderId: null, amountPaise: 130_000 });
  expect(refund && refundTitle(refund)).toBe(title);
});

test('a refund says when it was asked for, when it was done, and what to expect', () => {
  const doneAt = new Date('2026-11-17T04:01:00Z');
  const asked = 'Requested on Mon, 16 Nov, 9:31 am';
  expect(refundLines(refundOf({}))).toEqual([asked, 'You’ll get your money back within 7 business days.']);
  expect(refundLines(refundOf({ state: 'done', doneAt }))).toEqual([
    asked,
    'Sent on Tue, 17 Nov, 9:31 am',
    'Your bank may take up to 7 business days to show it.',
  ]);
  expect(refundLines(refundOf({ state: 'failed' }))).toEqual([
    asked,
    'It hasn’t gone through yet. We’re looking into it; you don’t need to do anything.',
  ]);
});
