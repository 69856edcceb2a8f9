import { expect, test } from 'vitest';
import { cappedCount, shortCount, waitingIn } from './todo-counts.ts';

const todo = {
  unconfirmed: 3,
  pack_today: 4,
  to_collect: 2,
  to_collect_paise: 50_000,
  to_give_back: 1,
  refunds_open: 1,
  refunds_to_decide: 1,
  refunds_overdue: 0,
  refunds_overdue_paise: 0,
  refund_due_on: null,
  refund_days_left: null,
  undelivered: 0,
  low_stock: 2,
  waited_for: 0,
  unbacked_offers: 0,
  claims: 2,
  claims_overdue: 1,
  claim_due_at: null,
  bills_overdue: 1,
  bills_overdue_paise: 90_000,
  expenses_due: 0,
  expenses_due_paise: 0,
};

test('a menu counts what is to be done in an area', () => {
  expect(waitingIn('/admin/orders', todo)).toEqual({ count: 7, words: 'to confirm or pack' });
  expect(waitingIn('/admin/inventory', todo)).toEqual({ count: 2, words: 'low or out of stock' });
  expect(waitingIn('/admin/vendors', todo)).toEqual({ count: 1, words: 'bills overdue' });
});

test('nothing is counted where nothing waits', () => {
  expect(waitingIn('/admin/orders', { ...todo, unconfirmed: 0, pack_today: 0 })).toBeNull();
  expect(waitingIn('/admin/expenses', todo)).toBeNull();
  expect(waitingIn('/admin/greetings', todo)).toBeNull();
});

test.each([
  [7, '7'],
  [99, '99'],
  [100, '99+'],
])('%i is shown as %s', (count, shown) => {
  expect(shortCount(count)).toBe(shown);
});

test.each([
  [0, '0'],
  [999, '999'],
  [1000, '1,000+'],
])('on a tab %i is shown as %s', (count, shown) => {
  expect(cappedCount(count)).toBe(shown);
});
