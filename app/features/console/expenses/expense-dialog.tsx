import { useCallback, useId, useState } from 'react';
import { ConfirmDialog } from '#app/ui/confirm-dialog.tsx';
import { Dialog } from '#app/ui/dialog.tsx';
import { Loading } from '#app/ui/panel.tsx';
import { toast } from '#app/ui/toast.tsx';
import { formatPaise, paise } from '#domain/money.ts';
import { formatCalendarDay } from '#domain/time.ts';
import { useRequests } from '../requests.ts';
import { type Expense, nameOf, type Vendor } from './expense-data.ts';
import styles from './expense-dialog.module.css';
import { ExpenseForm } from './expense-form.tsx';
import type { Subject } from './expense-values.ts';
import { ReceiptDialog } from './receipt-dialog.tsx';
import { removeReceipt } from './receipt-files.ts';

type Props = {
  /** 'loading' while it is fetched; null: nothing lies on the table. */
  subject: Subject | 'loading' | null;
  today: string;
  vendors: readonly Vendor[];
  onClose(): void;
  /** Something changed, and the list with it. */
  onChange(): void;
};

export function ExpenseDialog({ subject, today, vendors, onClose, onChange }: Props) {
  const id = useId();
  const [isChanged, setChanged] = useState(false);
  const [asks, setAsks] = useState<'leave' | 'delete' | null>(null);
  const [looksAt, setLooksAt] = useState<string | null>(null);
  const remove = useDelete();
  const leave = useCallback(() => {
    setAsks(null);
    setChanged(false);
    onClose();
  }, [onClose]);
  const known = subject === 'loading' ? null : subject;
  const expense = known?.kind === 'edit' ? known.expense : null;

  async function onDelete() {
    if (!expense) return;
    const outcome = await remove(expense);
    setAsks(null);
    if (!outcome.ok) return toast('error', outcome.message);
    toast('success', `Deleted: ${nameOf(expense)}, ${formatPaise(paise(expense.amount_paise))}`);
    leave();
    onChange();
  }

  return (
    <Dialog
      open={subject !== null}
      onClose={leave}
      isLocked={isChanged || asks !== null || looksAt !== null}
      labelledBy={id}
      className={styles.dialog}
    >
      <div className={styles.body}>
        <h2 id={id}>{titleOf(known)}</h2>
        {known?.kind === 'due' && (
          <p>Due on {formatCalendarDay(known.due.next_due_on)}. The series goes on from there.</p>
        )}
        {expense?.is_closed && (
          <p className={styles.closed}>
            This month is closed. Its receipt can be added; the rest stands until it is reopened.
          </p>
        )}
        {known ? (
          <ExpenseForm
            key={known.kind === 'edit' ? `${known.expense.id} ${known.expense.updated_at}` : known.kind}
            subject={known}
            today={today}
            vendors={vendors}
            onChanged={setChanged}
            onLook={setLooksAt}
            onCancel={() => (isChanged ? setAsks('leave') : leave())}
            onDelete={() => setAsks('delete')}
            onSaved={(wantsAnother) => {
              toast('success', known.kind === 'edit' ? 'Saved.' : 'Entered.');
              onChange();
              if (!wantsAnother) leave();
            }}
          />
        ) : (
          <Loading />
        )}
      </div>
      <ConfirmDialog
        open={asks === 'leave'}
        title="Close without saving?"
        text="What you typed here is not saved yet."
        confirmLabel="Close"
        tone="danger"
        onConfirm={leave}
        onClose={() => setAsks(null)}
      />
      <ConfirmDialog
        open={asks === 'delete'}
        title="Delete this expense?"
        text={expense && deleteWords(expense)}
        confirmLabel="Delete"
        tone="danger"
        onConfirm={onDelete}
        onClose={() => setAsks(null)}
      />
      <ReceiptDialog path={looksAt} title={expense ? nameOf(expense) : 'Receipt'} onClose={() => setLooksAt(null)} />
    </Dialog>
  );
}

function titleOf(subject: Subject | null): string {
  if (!subject) return 'Expense';
  if (subject.kind === 'new') return 'New expense';
  return nameOf(subject.kind === 'edit' ? subject.expense : subject.due);
}

function deleteWords(expense: Expense): string {
  const what = `${formatPaise(paise(expense.amount_paise))} for ${nameOf(expense)} on ${formatCalendarDay(expense.spent_on)}, with its receipt.`;
  return expense.repeats === 'never' ? what : `${what} If it was entered for a series, that day is proposed again.`;
}

function useDelete() {
  const { client, deleteRow } = useRequests();
  return async ({ id, updated_at, receipt_path }: Expense) => {
    const outcome = await deleteRow('expenses', { key: id, seen: updated_at });
    if (outcome.ok && receipt_path) void client().then((supabase) => removeReceipt(supabase, receipt_path));
    return outcome;
  };
}
