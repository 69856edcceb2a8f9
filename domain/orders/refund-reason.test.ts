import { expect, test } from 'vitest';
import { refundReason } from './refund-reason.ts';

test.each([
  ['sold-out', 'It sold out before your payment arrived.'],
  ['second-payment', 'This was paid twice.'],
  ['wrong-amount', 'The amount was not the one we asked for.'],
  ['given-back', 'This payment was given back before it became an order.'],
  ['anything else', 'Your payment could not become an order.'],
])('%s is said in plain words', (reason, words) => {
  expect(refundReason(reason)).toBe(words);
});
