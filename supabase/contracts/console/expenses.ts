// Functions of schemas/20_console/60_expenses.sql.
import { expenseCategories, paymentModes } from '../../../domain/expenses/expense.ts';
import { repetitions } from '../../../domain/expenses/recurrence.ts';
import { at, Cursor, day, defineFunction, Filter } from '../contract.ts';
import { z } from '../z.ts';

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

export const listExpenses = defineFunction(
  'admin_list_expenses',
  { filter: Filter.nullish(), by: z.string().nullish(), after: Cursor },
  ExpenseList,
);

export const listDueExpenses = defineFunction('admin_list_due_expenses', { at }, DueExpenses);

export const enterDueExpense = defineFunction(
  'admin_enter_due_expense',
  { expense_id: z.number(), due_on: day, entry: z.record(z.string(), z.unknown()).nullish() },
  z.object({ id: z.number() }),
);

export const skipDueExpense = defineFunction(
  'admin_skip_due_expense',
  { expense_id: z.number(), due_on: day },
  z.object({ next_due_on: day.nullable() }),
);
