import type { DueExpense, Expense } from '#contracts/console/expenses.ts';
import { z } from '#contracts/z.ts';
import { expenseCategories, gstPart, gstRateOf, gstRates, paymentModes } from '#domain/expenses/expense.ts';
import { type Repetition, repetitions } from '#domain/expenses/recurrence.ts';
import { rupeesInput } from '#domain/money.ts';
import { type Checked, checkWith, choice, day, optional, rupees, text, whole } from '../form/inputs.ts';

/** What lies on the table: a new expense, one that is there, or the next of a series. */
export type Subject = { kind: 'new' } | { kind: 'edit'; expense: Expense } | { kind: 'due'; due: DueExpense };

export type ExpenseValues = {
  spent_on: string;
  category: string;
  amount: string;
  /** A rate, or 'typed': the part stands on the bill. */
  gst_rate: string;
  gst: string;
  payment_mode: string;
  vendor_id: string;
  description: string;
  repeats: string;
  /** The path of a stored photograph, or the address of a new one. */
  receipt: string;
};

export type ExpenseValue = {
  spent_on: string;
  category: (typeof expenseCategories)[number];
  amount_paise: number;
  gst_paise: number;
  payment_mode: (typeof paymentModes)[number];
  vendor_id: number | null;
  description: string;
  repeats: Repetition;
  receipt: string;
};

/** How the last one was paid is most likely how the next one is. What it was for is not, and must be chosen. */
export type Habit = { payment_mode: string };

export const typedGst = 'typed';
export const gstOptions = [
  ...gstRates.map((rate) => ({ value: String(rate), label: rate === 0 ? 'No GST' : `${rate}% included` })),
  { value: typedGst, label: 'As per the bill…' },
];

export const repetitionWords: Record<Repetition, string> = {
  never: 'Does not repeat',
  weekly: 'Every week',
  monthly: 'Every month',
  quarterly: 'Every three months',
  yearly: 'Every year',
};

export function startValues(subject: Subject, { today, habit }: { today: string; habit: Habit }): ExpenseValues {
  if (subject.kind === 'new')
    return {
      spent_on: today,
      category: '',
      ...habit,
      amount: '',
      gst_rate: '0',
      gst: '',
      vendor_id: '',
      description: '',
      repeats: 'never',
      receipt: '',
    };
  const spent = subject.kind === 'edit' ? subject.expense : subject.due;
  const rate = gstRateOf(spent.amount_paise, spent.gst_paise);
  return {
    spent_on: subject.kind === 'edit' ? subject.expense.spent_on : subject.due.next_due_on,
    category: spent.category,
    amount: rupeesInput(spent.amount_paise),
    gst_rate: rate === null ? typedGst : String(rate),
    gst: rupeesInput(spent.gst_paise),
    payment_mode: spent.payment_mode,
    vendor_id: spent.vendor_id === null ? '' : String(spent.vendor_id),
    description: spent.description,
    repeats: spent.repeats,
    receipt: subject.kind === 'edit' ? (subject.expense.receipt_path ?? '') : '',
  };
}

const Typed = z.object({
  spent_on: day().refine((typed) => typed >= '2000-01-01', 'Check the year.'),
  category: choice(expenseCategories),
  amount: rupees({ min: 0.01, max: 99_99_99_999 }),
  gst_rate: z.string(),
  gst: rupees({ min: 0 }),
  payment_mode: choice(paymentModes),
  vendor_id: optional(whole({ min: 1, max: Number.MAX_SAFE_INTEGER })),
  description: text({ min: 1, max: 300 }),
  repeats: choice(repetitions),
  receipt: z.string(),
});

/** Money is spent before it is written down, give or take a day; the next of a series may be entered ahead. */
function dayProblem(spentOn: string, { kind }: Subject, today: string): string | null {
  if (spentOn > daysAfter(today, 366)) return 'This is more than a year ahead. Check the year.';
  if (kind === 'new' && spentOn > daysAfter(today, 1))
    return 'This date is in the future. Enter only what is already paid.';
  return null;
}

function daysAfter(day: string, count: number): string {
  const date = new Date(`${day}T00:00:00Z`);
  date.setUTCDate(date.getUTCDate() + count);
  return date.toISOString().slice(0, 10);
}

/** What usually goes into the profit already, as the cost of the sweets it became. */
export const categoryHint = (category: string): string | undefined =>
  category === 'Ingredients' || category === 'Packaging'
    ? 'Usually already counted in each product’s unit cost. Enter it here only if it isn’t.'
    : undefined;

export function checkExpense(values: ExpenseValues, subject: Subject, today: string): Checked<ExpenseValue> {
  const isTyped = values.gst_rate === typedGst;
  const checked = checkWith(Typed)(isTyped ? values : { ...values, gst: '0' });
  const wrongDay = dayProblem(values.spent_on, subject, today);
  if (!checked.ok) return { ok: false, errors: { ...(wrongDay ? { spent_on: wrongDay } : {}), ...checked.errors } };
  if (wrongDay) return { ok: false, errors: { spent_on: wrongDay } };
  const { amount, gst, gst_rate, ...others } = checked.value;
  const gst_paise = isTyped ? gst : gstPart(amount, Number(gst_rate));
  if (gst_paise > amount) return { ok: false, errors: { gst: 'GST must be less than the amount, which includes it.' } };
  return { ok: true, value: { ...others, amount_paise: amount, gst_paise } };
}

/** How much of the amount is GST while it is typed; null: not known yet. */
export function gstShown({ amount, gst_rate }: ExpenseValues): number | null {
  const typed = rupees({ min: 0 }).safeParse(amount);
  return typed.success && gst_rate !== typedGst ? gstPart(typed.data, Number(gst_rate)) : null;
}

const habitKey = 'mithaas-console-expense';
const KeptHabit = z.object({ payment_mode: z.enum(paymentModes) });

export function recallHabit(store: Pick<Storage, 'getItem'>): Habit {
  try {
    return KeptHabit.parse(JSON.parse(store.getItem(habitKey) ?? ''));
  } catch {
    return { payment_mode: 'UPI' };
  }
}

export function keepHabit(store: Pick<Storage, 'setItem'>, { payment_mode }: Habit): void {
  store.setItem(habitKey, JSON.stringify({ payment_mode }));
}
