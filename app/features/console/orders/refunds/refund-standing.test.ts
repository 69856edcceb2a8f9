import { expect, test } from 'vitest';
import { speedWords, standingOf, tookWords } from './refund-standing.ts';

const now = new Date('2026-11-18T04:00:00Z');
const refund = {
  state: 'queued' as const,
  attempts: 1,
  accepted_at: null,
  next_try_at: null,
  failed_at: null,
  failure: '',
};
const failed = { failed_at: '2026-11-17T04:01:00Z', failure: 'The account is closed.' };

test.each([
  [refund, 'Queued', 'Waiting to be sent to the payment provider.'],
  [
    { ...refund, state: 'accepted' as const, accepted_at: '2026-11-17T04:01:00Z' },
    'With the provider',
    'Accepted by the payment provider on 17 Nov 2026, 9:31 am. Not confirmed by the bank yet; we check every hour.',
  ],
  [
    { ...refund, ...failed, state: 'retrying' as const, attempts: 2, next_try_at: '2026-11-18T04:01:00Z' },
    'Trying again',
    'Failed on 17 Nov 2026, 9:31 am: The account is closed. Attempt 2 of 5 on 18 Nov 2026, 9:31 am.',
  ],
  [
    { ...refund, ...failed, failure: '', state: 'retrying' as const, attempts: 3, next_try_at: '2026-11-18T03:59:00Z' },
    'Trying again',
    'Failed on 17 Nov 2026, 9:31 am: the bank gave no reason. Attempt 3 of 5 is due now.',
  ],
  [
    { ...refund, ...failed, state: 'failed' as const, attempts: 5 },
    'Failed',
    'Failed on 17 Nov 2026, 9:31 am: The account is closed. It isn’t tried again automatically: retry it, or pay it back by hand and record it.',
  ],
  [
    { ...refund, state: 'by-hand' as const, attempts: 0 },
    'Pay back by hand',
    'The order was paid offline and cancelled. Pay the money back and record it here.',
  ],
])('%j says where the refund is and what comes next', (known, title, text) => {
  expect(standingOf(known, now)).toMatchObject({ title, text });
});

test.each([
  [0, 'the same day'],
  [1, '1 day'],
  [1.5, '1.5 days'],
  [9, '9 days'],
])('%d days are “%s”', (days, words) => expect(tookWords(days)).toBe(words));

test('the last 90 days in one sentence; a share is never rounded up', () => {
  expect(speedWords({ count: 0, in_time: 0, median_days: null })).toBeNull();
  expect(speedWords({ count: 1, in_time: 1, median_days: 0 })).toBe(
    '1 refund in the last 90 days. Half of them went back the same day; 100% within 7 business days.',
  );
  expect(speedWords({ count: 200, in_time: 199, median_days: 1.5 })).toBe(
    '200 refunds in the last 90 days. Half of them took 1.5 days or less; 99% within 7 business days.',
  );
});
