import { daysBetween } from '../purchases/due.ts';

export type Deadline = { words: string; isUrgent: boolean };

/** The terms promise it; private.refund_due_on() is the rule. */
export const refundBusinessDays = 7;

const counted = (days: number, what: string) => `${days} ${what}${days === 1 ? '' : 's'}`;

/** How long there is to send a refund, in calendar days. */
export function refundDeadline(dueOn: string, today: string): Deadline {
  const days = daysBetween(today, dueOn);
  if (days < 0) return { words: `${counted(-days, 'day')} overdue`, isUrgent: true };
  return { words: days === 0 ? 'Due today' : `${counted(days, 'day')} left`, isUrgent: days <= 2 };
}

/** The same in business days by the shop's calendar, which the database counted: 3 of 7 business days left. */
export function businessDaysLeft(daysLeft: number): Deadline {
  const isUrgent = daysLeft <= 2;
  if (daysLeft < 0) return { words: `${counted(-daysLeft, 'day')} overdue`, isUrgent };
  if (daysLeft === 0) return { words: 'Due today', isUrgent };
  // The calendar may have changed since: a closure that was called off makes more of them.
  return daysLeft <= refundBusinessDays
    ? { words: `${daysLeft} of ${refundBusinessDays} business days left`, isUrgent }
    : { words: `${daysLeft} business days left`, isUrgent };
}
