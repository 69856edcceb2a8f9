import { daysBetween } from '../purchases/due.ts';

export type Deadline = { words: string; isUrgent: boolean };

/** How long there is to send a refund: the terms promise it within seven days. */
export function refundDeadline(dueOn: string, today: string): Deadline {
  const days = daysBetween(today, dueOn);
  const counted = `${Math.abs(days)} ${Math.abs(days) === 1 ? 'day' : 'days'}`;
  if (days < 0) return { words: `${counted} overdue`, isUrgent: true };
  return { words: days === 0 ? 'Due today' : `${counted} left`, isUrgent: days <= 2 };
}
