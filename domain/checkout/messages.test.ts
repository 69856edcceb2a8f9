import { describe, expect, test } from 'vitest';
import { orderProblem, quoteProblem, totalsMessage } from './messages.ts';

const refusal = (status: number, code: string, message: string | null = 'The server’s sentence.') => ({
  status,
  code,
  message,
});

describe('amounts that cannot be computed', () => {
  test.each([
    [refusal(401, 'sign-in-required'), 'Failed to retrieve access token. Please log in again.'],
    [refusal(400, 'invalid-pincode'), 'Please update your address with a valid pincode to calculate shipping.'],
    [refusal(409, 'outside-zones'), 'The server’s sentence.'],
    [refusal(500, 'unknown', null), 'Could not calculate totals. Please try again.'],
    [refusal(0, 'unreachable', null), 'Could not calculate totals. Please try again.'],
  ])('%o', (refused, said) => {
    expect(totalsMessage(quoteProblem(refused))).toBe(said);
  });

  test('the server’s sentence is shown where the customer can do something about it', () => {
    for (const code of ['not-enough-stock', 'not-available', 'too-heavy', 'too-many-quotes'])
      expect(quoteProblem(refusal(409, code))).toEqual({ reason: 'failed', sentence: 'The server’s sentence.' });
    for (const code of ['outside-zones', 'would-spoil'])
      expect(quoteProblem(refusal(409, code))).toEqual({
        reason: 'failed',
        sentence: 'The server’s sentence.',
        isAddress: true,
      });
    const lines = [{ product_id: 22, message: 'Not this one.' }];
    expect(quoteProblem({ ...refusal(409, 'would-spoil'), lines })).toMatchObject({
      lines: [{ productId: 22, sentence: 'Not this one.' }],
    });
    for (const code of ['invalid-body', 'unknown', 'internal'])
      expect(quoteProblem(refusal(500, code))).toEqual({ reason: 'failed', sentence: null });
  });
});

describe('an order that cannot be paid', () => {
  test.each(['quote-expired', 'no-quote', 'address-changed', 'amount-mismatch', 'ambiguous-amount'])(
    '%s: the amounts are asked for again',
    (code) => expect(orderProblem(refusal(409, code))).toEqual({ next: 'quote-again' }),
  );

  test.each([
    [refusal(401, 'sign-in-required'), 'warning', 'User not authenticated'],
    [refusal(503, 'payments-away'), 'error', 'Server error: 503'],
    [refusal(429, 'too-many-checkouts'), 'error', 'Server error: 429'],
    [refusal(403, 'blocked'), 'error', 'Server error: 403'],
    [refusal(0, 'unreachable', null), 'error', 'Something went wrong. Please try again.'],
  ])('%o', (refused, kind, text) => {
    expect(orderProblem(refused)).toMatchObject({ next: 'stop', kind, text });
  });

  test.each(['not-enough-stock', 'not-available', 'unknown-product'])('%s: the goods cannot be had', (code) => {
    expect(orderProblem(refusal(409, code))).toEqual({
      next: 'change-goods',
      text: 'Failed to add items to the order. Please try again.',
      sentence: 'The server’s sentence.',
    });
  });

  test('what is paid already is no failure', () => {
    expect(orderProblem(refusal(409, 'already-paid'))).toEqual({ next: 'show-order' });
  });

  test('an incomplete address is said in the words of the address check', () => {
    expect(orderProblem(refusal(409, 'address-incomplete', 'Update mobile number'))).toEqual({
      next: 'complete-address',
      text: 'Update mobile number',
    });
  });
});
