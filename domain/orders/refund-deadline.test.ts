import { expect, test } from 'vitest';
import { businessDaysLeft, refundDeadline } from './refund-deadline.ts';

test.each([
  ['2026-11-25', '7 days left', false],
  ['2026-11-21', '3 days left', false],
  ['2026-11-20', '2 days left', true],
  ['2026-11-19', '1 day left', true],
  ['2026-11-18', 'Due today', true],
  ['2026-11-17', '1 day overdue', true],
  ['2026-11-08', '10 days overdue', true],
])('a refund due on %s has %s', (dueOn, words, isUrgent) => {
  expect(refundDeadline(dueOn, '2026-11-18')).toEqual({ words, isUrgent });
});

test.each([
  [9, '9 business days left', false],
  [7, '7 of 7 business days left', false],
  [3, '3 of 7 business days left', false],
  [2, '2 of 7 business days left', true],
  [1, '1 of 7 business days left', true],
  [0, 'Due today', true],
  [-1, '1 day overdue', true],
  [-12, '12 days overdue', true],
])('with %i days by the calendar of the shop it says %s', (days, words, isUrgent) => {
  expect(businessDaysLeft(days)).toEqual({ words, isUrgent });
});
