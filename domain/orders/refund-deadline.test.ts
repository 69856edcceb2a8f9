import { expect, test } from 'vitest';
import { refundDeadline } from './refund-deadline.ts';

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
