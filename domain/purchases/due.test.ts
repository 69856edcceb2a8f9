import { expect, test } from 'vitest';
import { daysBetween, formatDue } from './due.ts';

test('days are counted on the calendar', () => {
  expect(daysBetween('2026-02-27', '2026-03-01')).toBe(2);
  expect(daysBetween('2026-11-16', '2026-11-09')).toBe(-7);
});

test.each([
  ['2026-11-16', { words: 'due today', isOverdue: false, isSoon: true }],
  ['2026-11-17', { words: 'due tomorrow', isOverdue: false, isSoon: true }],
  ['2026-11-23', { words: 'due in 7 days', isOverdue: false, isSoon: false }],
  ['2026-11-15', { words: '1 day overdue', isOverdue: true, isSoon: false }],
  ['2026-10-16', { words: '31 days overdue', isOverdue: true, isSoon: false }],
])('what is due on %s', (dueOn, due) => {
  expect(formatDue(dueOn, '2026-11-16')).toEqual(due);
});
