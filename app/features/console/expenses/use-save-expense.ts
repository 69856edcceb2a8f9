import { type Outcome, useRequests } from '../requests.ts';
import type { ExpenseValue, Subject } from './expense-values.ts';
import { removeReceipt, storeReceipt } from './receipt-files.ts';

const notStored = {
  ok: false,
  reason: 'failed',
  field: null,
  message: 'The photograph could not be stored. Try again, or save without it.',
} as const;

/** The photograph first, then the expense; what turns out to be in vain is taken away again. */
export function useSaveExpense(subject: Subject) {
  const { client, insertRow, updateRow, act } = useRequests();
  return async (value: ExpenseValue, photo: Blob | null): Promise<Outcome<unknown>> => {
    const supabase = await client();
    const stored = photo && (await storeReceipt(supabase, value.spent_on, photo).catch(() => null));
    if (photo && !stored) return notStored;
    const receipt_path = stored ?? (value.receipt || null);
    const outcome = await write({ ...value, receipt_path });
    const before = subject.kind === 'edit' ? subject.expense.receipt_path : null;
    const inVain = outcome.ok ? before !== receipt_path && before : stored;
    if (inVain) void removeReceipt(supabase, inVain);
    return outcome;
  };

  function write(value: ExpenseValue & { receipt_path: string | null }): Promise<Outcome<unknown>> {
    const { receipt: _receipt, amount_paise, gst_paise, ...columns } = value;
    if (subject.kind === 'due') {
      const { repeats: _repeats, ...entry } = { ...columns, amount_paise, gst_paise };
      return act('admin_enter_due_expense', { expense_id: subject.due.id, due_on: subject.due.next_due_on, entry });
    }
    const row = { ...columns, amount: amount_paise / 100, gst_amount: gst_paise / 100 };
    if (subject.kind === 'new') return insertRow('expenses', row);
    return updateRow('expenses', { key: subject.expense.id, seen: subject.expense.updated_at }, row);
  }
}
