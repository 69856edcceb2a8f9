import { href } from 'react-router';
import type { Period, Todo } from '#contracts/console/dashboard.ts';
import { dueWords } from '#domain/claims/claim-clock.ts';
import { formatPaise } from '#domain/money.ts';
import { businessDaysLeft } from '#domain/orders/refund-deadline.ts';
import { cappedCount } from '../data/todo-counts.ts';

/** What is counted, unlike days and sums. */
export type TodoKey = {
  [Key in keyof Todo]: Todo[Key] extends number ? (Key extends `${string}_paise` ? never : Key) : never;
}[keyof Todo];

/** The periods as people name them, and what each is compared with. */
export const periodWords: Record<Period, { title: string; before: string }> = {
  today: { title: 'Today', before: 'yesterday by now' },
  week: { title: '7 days', before: 'the 7 days before' },
  month: { title: '30 days', before: 'the 30 days before' },
  year: { title: 'Financial year', before: 'last year by now' },
};

export type TodoTile = {
  key: TodoKey;
  title: string;
  to: string;
  /** Whether more than none of it is a warning. */
  isUrgent?: boolean | ((todo: Todo) => boolean);
  /** Money is said first, where it is about money. */
  amount?(todo: Todo): string;
  note?(todo: Todo): string;
};

const counted = (count: number, one: string, many: string) =>
  `${count.toLocaleString('en-IN')} ${count === 1 ? one : many}`;

function refundNote({ refunds_overdue, refunds_overdue_paise, refunds_to_decide, refund_days_left }: Todo): string {
  const sum = refunds_overdue > 0 ? `${formatPaise(refunds_overdue_paise)}, ` : '';
  const deadline = refund_days_left === null ? '' : businessDaysLeft(refund_days_left).words;
  const oldest = refunds_overdue > 0 ? `the oldest ${deadline}` : deadline;
  return [
    `${sum}${oldest}`,
    ...(refunds_to_decide > 0 ? [`${cappedCount(refunds_to_decide)} to be done by you`] : []),
  ].join('; ');
}

/** What a morning asks, in the order in which it is done, and where it is done. */
export const todoTiles: readonly TodoTile[] = [
  { key: 'unconfirmed', title: 'To confirm', to: `${href('/admin/orders')}?todo=unconfirmed` },
  { key: 'pack_today', title: 'To pack today', to: `${href('/admin/orders')}?todo=pack-today` },
  {
    key: 'to_collect',
    title: 'To collect',
    to: `${href('/admin/orders')}?todo=to-collect`,
    amount: ({ to_collect_paise }) => formatPaise(to_collect_paise),
    note: ({ to_collect }) => counted(to_collect, 'unpaid order', 'unpaid orders'),
  },
  {
    key: 'refunds_open',
    title: 'Refunds due',
    to: href('/admin/orders/refunds'),
    isUrgent: ({ refunds_overdue, refunds_to_decide }) => refunds_overdue + refunds_to_decide > 0,
    // Overdue ones first, with what they come to.
    amount: ({ refunds_open, refunds_overdue }) =>
      refunds_overdue > 0 ? `${cappedCount(refunds_overdue)} overdue` : cappedCount(refunds_open),
    note: refundNote,
  },
  {
    key: 'claims',
    title: 'Claims',
    to: href('/admin/orders/claims'),
    isUrgent: true,
    note: ({ claims_overdue, claim_due_at }) =>
      claims_overdue > 0
        ? counted(claims_overdue, 'is overdue', 'are overdue')
        : claim_due_at
          ? `next ${dueWords(claim_due_at, new Date())}`
          : '',
  },
  { key: 'undelivered', title: 'Undelivered', to: `${href('/admin/orders')}?todo=undelivered`, isUrgent: true },
  { key: 'low_stock', title: 'Low stock', to: `${href('/admin/inventory')}?show=low` },
  {
    key: 'waited_for',
    title: 'Out of stock, customers waiting',
    to: `${href('/admin/inventory')}?show=waiting`,
    isUrgent: true,
  },
  {
    key: 'bills_overdue',
    title: 'Bills overdue',
    to: `${href('/admin/vendors')}?tab=to-pay`,
    isUrgent: true,
    amount: ({ bills_overdue_paise }) => formatPaise(bills_overdue_paise),
    note: ({ bills_overdue }) => counted(bills_overdue, 'bill', 'bills'),
  },
  {
    key: 'expenses_due',
    title: 'Expenses due',
    to: href('/admin/expenses'),
    amount: ({ expenses_due_paise }) => formatPaise(expenses_due_paise),
    note: ({ expenses_due }) => counted(expenses_due, 'expense', 'expenses'),
  },
  { key: 'unbacked_offers', title: 'Offers without price cut', to: `${href('/admin/products')}?state=offer_unbacked` },
];
