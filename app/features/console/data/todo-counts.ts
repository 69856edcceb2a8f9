import { href } from 'react-router';
import type { Todo } from '#contracts/console/dashboard.ts';

export type Waiting = { count: number /** What is counted, read aloud after the number. */; words: string };

/** The number of open tasks in an area of the console, by its address. */
export function waitingIn(area: string, todo: Todo): Waiting | null {
  const counts: Record<string, Waiting> = {
    [href('/admin/orders')]: { count: todo.unconfirmed + todo.pack_today, words: 'to confirm or pack' },
    [href('/admin/vendors')]: { count: todo.bills_overdue, words: 'bills overdue' },
    [href('/admin/expenses')]: { count: todo.expenses_due, words: 'expenses due' },
    [href('/admin/inventory')]: { count: todo.low_stock + todo.waited_for, words: 'low or out of stock' },
  };
  const waiting = counts[area];
  return waiting && waiting.count > 0 ? waiting : null;
}

/** Counts above 99 make no difference in a menu. */
export const shortCount = (count: number) => (count > 99 ? '99+' : String(count));

/** Counting stops at a thousand. */
export const cappedCount = (count: number) => (count >= 1000 ? '1,000+' : String(count));
