import { useState } from 'react';
import { Loading } from '#app/ui/panel.tsx';
import { toast } from '#app/ui/toast.tsx';
import type { Expense } from '#contracts/console/expenses.ts';
import { formatPaise, paise } from '#domain/money.ts';
import { formatCalendarDay, formatDate } from '#domain/time.ts';
import { useRequests } from '../data/requests.ts';
import { type Deletion, EditDialog } from '../form/edit-dialog.tsx';
import { nameOf, type Vendor } from './expense-data.ts';
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
  const [looksAt, setLooksAt] = useState<string | null>(null);
  const known = subject === 'loading' ? null : subject;
  const expense = known?.kind === 'edit' ? known.expense : null;
  const deletion = useDeletion(expense);

  return (
    <>
      <EditDialog
        open={subject !== null}
        title={titleOf(known)}
        isCovered={looksAt !== null}
        deletion={deletion}
        onClose={onClose}
        onDeleted={onChange}
      >
        {(controls) => (
          <>
            {known?.kind === 'due' && (
              <p>Due on {formatCalendarDay(known.due.next_due_on)}. The next one will follow from there.</p>
            )}
            {expense?.is_closed && (
              <p>This month is closed. You can still add a receipt; to change anything else, reopen the month.</p>
            )}
            {known ? (
              <ExpenseForm
                key={known.kind === 'edit' ? `${known.expense.id} ${known.expense.updated_at}` : known.kind}
                subject={known}
                today={today}
                vendors={vendors}
                controls={controls}
                onLook={setLooksAt}
                onSaved={(wantsAnother) => {
                  toast('success', known.kind === 'edit' ? 'Saved.' : 'Expense saved.');
                  if (wantsAnother) onChange();
                  else controls.close();
                }}
              />
            ) : (
              <Loading />
            )}
          </>
        )}
      </EditDialog>
      <ReceiptDialog path={looksAt} title={expense ? nameOf(expense) : 'Receipt'} onClose={() => setLooksAt(null)} />
    </>
  );
}

function titleOf(subject: Subject | null): string {
  if (!subject) return 'Expense';
  if (subject.kind === 'new') return 'New expense';
  return nameOf(subject.kind === 'edit' ? subject.expense : subject.due);
}

function useDeletion(expense: Expense | null): Deletion | null {
  const { client, deleteRow } = useRequests();
  if (!expense) return null;
  const amount = formatPaise(paise(expense.amount_paise));
  const what = `${amount} for ${nameOf(expense)} on ${formatDate(expense.spent_on)}, with its receipt.`;
  return {
    title: 'Delete this expense?',
    text: expense.repeats === 'never' ? what : `${what} If it repeats, this date will show as due again.`,
    done: `Deleted: ${nameOf(expense)}, ${amount}`,
    async run() {
      const { id, updated_at, receipt_path } = expense;
      const outcome = await deleteRow('expenses', { key: id, seen: updated_at });
      if (outcome.ok && receipt_path) void client().then((supabase) => removeReceipt(supabase, receipt_path));
      return outcome;
    },
  };
}
