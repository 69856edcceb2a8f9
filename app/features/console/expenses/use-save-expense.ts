import { useRef } from 'react';
import { enterDueExpense } from '#contracts/console/expenses.ts';
import { type Outcome, useRequests } from '../data/requests.ts';
import type { ExpenseValue, Subject } from './expense-values.ts';
import { removeReceipt, storeReceipt } from './receipt-files.ts';

const notStored = {
  ok: false,
  reason: 'failed',
  field: null,
  message: 'We couldn’t upload the photo, so nothing was saved. Try again, or save without it.',
} as const;

const changedByAnother = {
  ok: false,
  reason: 'stale',
  field: null,
  message: 'Changed by someone else. Save again to replace their version with yours, or cancel to see theirs.',
} as const;

const savedOtherwise = {
  ok: false,
  reason: 'stale',
  field: null,
  message: 'This was already saved the first time. Close this and edit it in the list.',
} as const;

/** Saves the photo first, then the expense; removes the photo again if the expense is rejected. */
export function useSaveExpense(subject: Subject) {
  const { client, insertRow, updateRow, act } = useRequests();
  // However often a new expense is sent, it is one.
  const entryId = useRef(crypto.randomUUID());
  const stored = useRef<{ photo: Blob; path: string } | null>(null);
  const mayBeSaved = useRef(false);
  const seen = useRef<string | null>(null);

  return async (value: ExpenseValue, photo: Blob | null): Promise<Outcome<unknown>> => {
    const supabase = await client();
    if (photo && stored.current?.photo !== photo) {
      const path = await storeReceipt(supabase, value.spent_on, photo).catch(() => null);
      if (!path) return notStored;
      stored.current = { photo, path };
    }
    const newPath = photo ? (stored.current?.path ?? null) : null;
    const receipt_path = newPath ?? (value.receipt || null);
    const outcome = await write({ ...value, receipt_path });
    const before = subject.kind === 'edit' ? subject.expense.receipt_path : null;
    if (outcome.ok) {
      if (before && before !== receipt_path) void removeReceipt(supabase, before);
      entryId.current = crypto.randomUUID();
      stored.current = null;
      mayBeSaved.current = false;
      return outcome;
    }
    // Without an answer it may be saved all the same, and point to the photograph.
    if (outcome.reason === 'failed') mayBeSaved.current = true;
    else if (newPath && !mayBeSaved.current) {
      stored.current = null;
      void removeReceipt(supabase, newPath);
    }
    return outcome;
  };

  async function write(value: ExpenseValue & { receipt_path: string | null }): Promise<Outcome<unknown>> {
    const { receipt: _receipt, amount_paise, gst_paise, ...columns } = value;
    if (subject.kind === 'due') {
      const { repeats: _repeats, ...entry } = { ...columns, amount_paise, gst_paise };
      return act(enterDueExpense, { expense_id: subject.due.id, due_on: subject.due.next_due_on, entry });
    }
    const row = { ...columns, amount: amount_paise / 100, gst_amount: gst_paise / 100 };
    if (subject.kind === 'edit') {
      const { id, updated_at } = subject.expense;
      const outcome = await updateRow('expenses', { key: id, seen: seen.current ?? updated_at }, row);
      return !outcome.ok && outcome.reason === 'stale' ? whatHappened(id, outcome) : outcome;
    }
    const outcome = await insertRow('expenses', { ...row, entry_id: entryId.current });
    return outcome.ok || !mayBeSaved.current || outcome.reason !== 'refused'
      ? outcome
      : ((await earlier(row)) ?? outcome);
  }

  /** Who was told may overrule: the next try says what it overrules. */
  async function whatHappened(id: number, outcome: Outcome<unknown>): Promise<Outcome<unknown>> {
    const { data } = await (await client()).from('expenses').select('updated_at').eq('id', id).maybeSingle();
    if (data) seen.current = data.updated_at;
    return data ? changedByAnother : outcome;
  }

  /** What came of a try that was not answered; null: nothing. */
  async function earlier(row: Record<string, unknown>): Promise<Outcome<unknown> | null> {
    const { data } = await (await client()).from('expenses').select().eq('entry_id', entryId.current).maybeSingle();
    if (!data) return null;
    const kept: Record<string, unknown> = data;
    // Amounts may come as texts: 118.50.
    const isSame = ([name, value]: [string, unknown]) =>
      typeof value === 'number' ? Number(kept[name]) === value : kept[name] === value;
    return Object.entries(row).every(isSame) ? { ok: true, value: data } : savedOtherwise;
  }
}
