import { expect, test } from 'vitest';
import type { Expense } from '#contracts/console/expenses.ts';

import {
  categoryHint,
  checkExpense as checkOn,
  type ExpenseValues,
  gstShown,
  keepHabit,
  recallHabit,
  type Subject,
  startValues,
} from './expense-values.ts';

const gas: Expense = {
  id: 7,
  spent_on: '2026-11-06',
  category: 'Gas',
  vendor_id: 3,
  vendor: 'Bharat Gas',
  description: 'Cylinders',
  amount_paise: 540_050,
  gst_paise: 82_381,
  payment_mode: 'UPI',
  receipt_path: '2026/x.webp',
  repeats: 'monthly',
  next_due_on: '2026-12-06',
  updated_at: '2026-11-06T10:00:00+00:00',
  is_closed: false,
};
const habit = { payment_mode: 'Cash' };
const today = '2026-11-16';
const checkExpense = (values: ExpenseValues, subject: Subject = { kind: 'new' }) => checkOn(values, subject, today);
const blank = startValues({ kind: 'new' }, { today: '2026-11-16', habit });
const typed = { ...blank, amount: '100', category: 'Gas', description: 'Cylinders' };
const wrong = (values: object) => {
  const checked = checkExpense({ ...typed, ...values });
  return checked.ok ? {} : checked.errors;
};

test('a new expense is of today, and as the last one was paid', () => {
  expect(blank).toMatchObject({ spent_on: '2026-11-16', category: '', payment_mode: 'Cash', amount: '' });
});

test('an expense that is there comes back as it was', () => {
  const values = startValues({ kind: 'edit', expense: gas }, { today: '2026-11-16', habit });
  expect(values).toMatchObject({ amount: '5400.50', gst_rate: '18', receipt: '2026/x.webp', repeats: 'monthly' });
  expect(checkExpense(values)).toMatchObject({
    ok: true,
    value: { amount_paise: 540_050, gst_paise: 82_381, vendor_id: 3 },
  });
});

test('the next of a series starts on its day, without the old receipt', () => {
  const due = { ...gas, next_due_on: '2026-12-06', gst_paise: 82_379 };
  const values = startValues({ kind: 'due', due }, { today: '2026-12-08', habit });
  expect(values).toMatchObject({ spent_on: '2026-12-06', receipt: '', gst_rate: 'typed', gst: '823.79' });
});

test('the GST part follows from the rate, or is typed', () => {
  const shown = { ...typed, amount: '1,180', gst_rate: '18' };
  expect(gstShown(shown)).toBe(18_000);
  expect(gstShown({ ...shown, amount: 'x' })).toBeNull();
  expect(checkExpense(shown)).toMatchObject({ value: { gst_paise: 18_000 } });
  expect(checkExpense({ ...shown, gst_rate: 'typed', gst: '170.50' })).toMatchObject({ value: { gst_paise: 17_050 } });
});

test.each([
  [{ amount: '' }, { amount: 'Enter an amount, such as 1,299.50.' }],
  [{ amount: '0' }, { amount: 'At least ₹0.01.' }],
  [{ amount: '-5' }, { amount: 'Enter an amount, such as 1,299.50.' }],
  [{ spent_on: '2026-02-30' }, { spent_on: 'Choose a date.' }],
  [{ spent_on: '0001-01-01' }, { spent_on: 'Check the year.' }],
  [{ spent_on: '1999-12-31' }, { spent_on: 'Check the year.' }],
  [{ spent_on: '2026-11-18' }, { spent_on: 'This date is in the future. Enter only what is already paid.' }],
  [{ spent_on: '2062-11-16' }, { spent_on: 'This is more than a year ahead. Check the year.' }],
  [
    { spent_on: '2062-11-16', amount: 'x' },
    expect.objectContaining({ spent_on: expect.stringMatching('a year ahead') }),
  ],
  [{ category: '' }, { category: 'Choose one.' }],
  [{ description: ' ' }, { description: expect.any(String) }],
  [{ category: 'Bribes' }, { category: 'Choose one.' }],
  [{ gst_rate: 'typed', gst: '101' }, { gst: 'GST must be less than the amount, which includes it.' }],
  [{ gst_rate: 'typed', gst: '' }, { gst: 'Enter an amount, such as 1,299.50.' }],
  [{ description: 'x'.repeat(301) }, { description: 'At most 300 characters.' }],
])('%o is refused at its field', (values, errors) => {
  expect(wrong(values)).toEqual(errors);
});

test('tomorrow is another day in another time zone, and the next of a series may be ahead', () => {
  expect(checkExpense({ ...typed, spent_on: '2026-11-17' })).toMatchObject({ ok: true });
  expect(
    checkExpense({ ...typed, spent_on: '2026-12-06' }, { kind: 'due', due: { ...gas, next_due_on: '2026-12-06' } }),
  ).toMatchObject({ ok: true });
});

test('what goes into sweets is most likely counted already', () => {
  expect(categoryHint('Packaging')).toMatch('unit cost');
  expect(categoryHint('Gas')).toBeUndefined();
});

test('a habit is kept, and nonsense is forgotten', () => {
  const kept = new Map<string, string>();
  const store = {
    getItem: (key: string) => kept.get(key) ?? null,
    setItem: (key: string, value: string) => void kept.set(key, value),
  };
  expect(recallHabit(store)).toEqual({ payment_mode: 'UPI' });
  keepHabit(store, { payment_mode: 'Cheque' });
  expect(recallHabit(store)).toEqual({ payment_mode: 'Cheque' });
  for (const key of kept.keys()) kept.set(key, '{"payment_mode":"Bribes"}');
  expect(recallHabit(store)).toEqual({ payment_mode: 'UPI' });
});
