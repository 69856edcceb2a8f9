import { useRef, useState } from 'react';
import { Button } from '#app/ui/button.tsx';
import { MoneyField, SelectField, TextField } from '#app/ui/fields.tsx';
import { Form } from '#app/ui/form.tsx';
import { useSaveForm } from '#app/ui/use-save-form.ts';
import { expenseCategories, paymentModes } from '#domain/expenses/expense.ts';
import { nextDue, type Repetition, repetitions } from '#domain/expenses/repetition.ts';
import { formatPaise } from '#domain/money.ts';
import { formatCalendarDay } from '#domain/time.ts';
import { type EditControls, EditEnd } from '../form/edit-dialog.tsx';
import type { Vendor } from './expense-data.ts';
import styles from './expense-form.module.css';
import {
  categoryHint,
  checkExpense,
  type ExpenseValues,
  gstOptions,
  gstShown,
  keepHabit,
  recallHabit,
  repetitionWords,
  type Subject,
  startValues,
  typedGst,
} from './expense-values.ts';
import { ReceiptField } from './receipt-field.tsx';
import { useSaveExpense } from './use-save-expense.ts';

type Props = {
  subject: Subject;
  today: string;
  vendors: readonly Vendor[];
  controls: EditControls;
  onSaved(wantsAnother: boolean): void;
  onLook(path: string): void;
};

const same = (names: readonly string[]) => names.map((name) => ({ value: name, label: name }));

/** Quick to fill in: the date and how it was paid are there already. */
export function ExpenseForm({ subject, today, vendors, controls, onSaved, onLook }: Props) {
  const photo = useRef<Blob | null>(null);
  const wantsAnother = useRef(false);
  const save = useSaveExpense(subject);
  const [start] = useState(() => startValues(subject, { today, habit: recallHabit(localStorage) }));
  const form = useSaveForm({
    start,
    check: (values) => checkExpense(values, subject, today),
    save: (value) => save(value, photo.current),
    onSaved() {
      keepHabit(localStorage, form.getValues());
      controls.onChanged(false);
      onSaved(wantsAnother.current);
      photo.current = null;
      if (wantsAnother.current)
        form.reset({
          ...form.getValues(),
          category: '',
          amount: '',
          gst: '',
          description: '',
          repeats: 'never',
          receipt: '',
        });
    },
  });
  const values = form.watch();
  const gst = gstShown(values);
  return (
    <Form form={form} className={styles.form}>
      <div className={styles.fields}>
        <MoneyField name="amount" label="Amount" autoFocus />
        <TextField name="spent_on" label="Date" type="date" />
        <SelectField
          name="category"
          label="Category"
          options={[...(start.category === '' ? [{ value: '', label: 'Choose…' }] : []), ...same(expenseCategories)]}
          hint={categoryHint(values.category)}
        />
        <SelectField name="payment_mode" label="Payment mode" options={same(paymentModes)} />
        <TextField name="description" label="Description" maxLength={300} />
        <SelectField name="vendor_id" label="Vendor" options={vendorOptions(vendors, values)} />
        <SelectField
          name="gst_rate"
          label="GST"
          options={gstOptions}
          hint={gst === null || gst === 0 ? undefined : `Includes ${formatPaise(gst)} GST`}
        />
        {values.gst_rate === typedGst && <MoneyField name="gst" label="GST included" />}
        {subject.kind !== 'due' && (
          <SelectField
            name="repeats"
            label="Repeats"
            options={repetitions.map((name) => ({ value: name, label: repetitionWords[name] }))}
            hint={nextHint(values)}
          />
        )}
        <ReceiptField
          value={values.receipt}
          onLook={onLook}
          onChange={(value, taken) => {
            photo.current = taken;
            form.change({ receipt: value });
          }}
        />
      </div>
      <EditEnd
        controls={controls}
        isNew={subject.kind !== 'edit'}
        submitLabel={subject.kind === 'due' ? 'Enter' : 'Save'}
      >
        {subject.kind === 'new' && (
          <Button
            onClick={async () => {
              wantsAnother.current = true;
              await form.submit();
              wantsAnother.current = false;
            }}
          >
            Save and add another
          </Button>
        )}
      </EditEnd>
    </Form>
  );
}

/** Vendors we no longer buy from are not offered, unless the expense is theirs. */
function vendorOptions(vendors: readonly Vendor[], { vendor_id }: ExpenseValues) {
  const offered = vendors.filter(({ id, archived_at }) => archived_at === null || String(id) === vendor_id);
  return [{ value: '', label: 'No vendor' }, ...offered.map(({ id, name }) => ({ value: String(id), label: name }))];
}

function nextHint({ spent_on, repeats }: ExpenseValues): string | undefined {
  if (formatCalendarDay(spent_on) === '') return undefined;
  const day = nextDue(spent_on, repeats as Repetition, spent_on);
  return day ? `Due again on ${formatCalendarDay(day)}` : undefined;
}
