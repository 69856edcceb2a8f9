import { expect, test } from 'vitest';
import { refundReason } from './refund-reason.ts';

test.each([
  ['sold-out', 'It sold out before your payment arrived.'],
  ['second-payment', 'This order was already paid.'],
  ['wrong-amount', 'The amount paid didn’t match the order.'],
  ['given-back', 'This payment was refunded before the order was placed.'],
  ['anything else', 'We couldn’t place an order for this payment.'],
])('%s is said in plain words', (reason, words) => {
  expect(refundReason(reason)).toBe(words);
});
