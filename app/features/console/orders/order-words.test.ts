import { expect, test } from 'vitest';
import { ordersOf } from './order-words.ts';

test.each([
  [{ orders: 43, canceled: 3 }, '43 orders and 3 cancelled'],
  [{ orders: 1, canceled: 0 }, 'first order'],
  [{ orders: 0, canceled: 1 }, 'first order'],
  [{ orders: 1, canceled: 2 }, '1 order and 2 cancelled'],
  [{ orders: 1200, canceled: 0 }, '1,200 orders'],
])('%o is %s', (customer, words) => {
  expect(ordersOf(customer)).toBe(words);
});
