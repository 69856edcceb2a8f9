import { z } from 'zod';
import { expenseCategories, paymentModes } from '#domain/expenses/expense.ts';
import { repetitions } from '#domain/expenses/repetition.ts';

const Spent = z.object({
  id: z.number(),
  category: z.enum(expenseCategories),
  vendor_id: z.number().nullable(),
  vendor: z.string().nullable(),
  description: z.string(),
  amount_paise: z.number(),
  gst_paise: z.number(),
  payment_mode: z.enum(paymentModes),
  repeats: z.enum(repetitions),
});

export const Expense = Spent.extend({
  spent_on: z.string(),
  receipt_path: z.string().nullable(),
  next_due_on: z.string().nullable(),
  updated_at: z.string(),
  is_closed: z.boolean(),
});
export type Expense = z.infer<typeof Expense>;

export const ExpenseList = z.object({
  rows: z.array(Expense),
  next: z.object({ key: z.union([z.string(), z.number()]), id: z.number() }).nullable(),
  count: z.number(),
  count_is_capped: z.boolean(),
  totals: z.object({ amount_paise: z.number(), gst_paise: z.number() }),
});

export const DueExpense = Spent.extend({ next_due_on: z.string() });
export type DueExpense = z.infer<typeof DueExpense>;
export const DueExpenses = z.object({ due: z.array(DueExpense), coming: z.array(DueExpense) });

export const Vendors = z.array(z.object({ id: z.number(), name: z.string(), archived_at: z.string().nullable() }));
export type Vendor = z.infer<typeof Vendors>[number];

/** What an expense was for, in a few words. */
export const nameOf = ({ description, category }: { description: string; category: string }): string =>
  description || category;
