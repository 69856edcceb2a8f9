import { z } from 'zod';
import { formatPaise, paise } from '#domain/money.ts';
import { refundDeadline } from '#domain/orders/refund-deadline.ts';

export const periods = ['today', 'week', 'month', 'year'] as const;
export type Period = (typeof periods)[number];

const Figures = z.object({
  orders: z.number(),
  canceled: z.number(),
  sales_paise: z.number(),
  goods_paise: z.number(),
  cost_paise: z.number(),
  uncosted_paise: z.number(),
  refunds_paise: z.number(),
});
export type Figures = z.infer<typeof Figures>;

export const Dashboard = z.object({
  period: z.enum(periods),
  now: Figures,
  before: Figures,
  timeline: z.array(z.object({ from: z.string(), orders: z.number(), sales_paise: z.number() })),
  categories: z.array(z.object({ category: z.string(), goods_paise: z.number() })),
  best: z.array(
    z.object({
      product_id: z.number(),
      name: z.string(),
      category: z.string(),
      grams: z.number(),
      pieces: z.number(),
      goods_paise: z.number(),
    }),
  ),
  cities: z.array(z.object({ city: z.string(), orders: z.number(), goods_paise: z.number() })),
});
export type Dashboard = z.infer<typeof Dashboard>;

/** What admin_read_work says. */
export const Todo = z.object({
  unconfirmed: z.number(),
  pack_today: z.number(),
  to_collect: z.number(),
  to_collect_paise: z.number(),
  to_give_back: z.number(),
  /** By when the first refund has to be sent. */
  refund_due_on: z.string().nullable(),
  undelivered: z.number(),
  bills_overdue: z.number(),
  bills_overdue_paise: z.number(),
  expenses_due: z.number(),
  expenses_due_paise: z.number(),
  low_stock: z.number(),
  waited_for: z.number(),
  unbacked_offers: z.number(),
});
export type Todo = z.infer<typeof Todo>;
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
  /** More than none of it is a warning. */
  isUrgent?: boolean;
  /** Money is said first, where it is about money. */
  amount?(todo: Todo): string;
  note?(todo: Todo, today: string): string;
};

const rupees = (value: number) => formatPaise(paise(value));
const counted = (count: number, one: string, many: string) =>
  `${count.toLocaleString('en-IN')} ${count === 1 ? one : many}`;

/** What a morning asks, in the order in which it is done, and where it is done. */
export const todoTiles: readonly TodoTile[] = [
  { key: 'unconfirmed', title: 'To confirm', to: '/admin/orders?todo=unconfirmed' },
  { key: 'pack_today', title: 'To pack today', to: '/admin/orders?todo=pack-today' },
  {
    key: 'to_collect',
    title: 'To collect',
    to: '/admin/orders?todo=to-collect',
    amount: ({ to_collect_paise }) => rupees(to_collect_paise),
    note: ({ to_collect }) => counted(to_collect, 'unpaid order', 'unpaid orders'),
  },
  {
    key: 'to_give_back',
    title: 'Refunds due',
    to: '/admin/orders?todo=give-back',
    isUrgent: true,
    note: ({ refund_due_on }, today) => (refund_due_on ? refundDeadline(refund_due_on, today).words : ''),
  },
  { key: 'undelivered', title: 'Undelivered', to: '/admin/orders?todo=undelivered', isUrgent: true },
  { key: 'low_stock', title: 'Low stock', to: '/admin/inventory?show=low' },
  { key: 'waited_for', title: 'Out of stock, customers waiting', to: '/admin/inventory?show=waiting', isUrgent: true },
  {
    key: 'bills_overdue',
    title: 'Bills overdue',
    to: '/admin/vendors?tab=to-pay',
    isUrgent: true,
    amount: ({ bills_overdue_paise }) => rupees(bills_overdue_paise),
    note: ({ bills_overdue }) => counted(bills_overdue, 'bill', 'bills'),
  },
  {
    key: 'expenses_due',
    title: 'Expenses due',
    to: '/admin/expenses',
    amount: ({ expenses_due_paise }) => rupees(expenses_due_paise),
    note: ({ expenses_due }) => counted(expenses_due, 'expense', 'expenses'),
  },
  { key: 'unbacked_offers', title: 'Offers without price cut', to: '/admin/products?state=offer_unbacked' },
];
