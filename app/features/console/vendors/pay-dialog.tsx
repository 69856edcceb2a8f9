import { useId, useState } from 'react';
import { Button } from '#app/ui/button.tsx';
import { DialogBody } from '#app/ui/dialog.tsx';
import { MoneyField, SelectField, TextField } from '#app/ui/fields.tsx';
import { Form, FormEnd } from '#app/ui/form.tsx';
import { FormDialog } from '#app/ui/form-dialog.tsx';
import { toast } from '#app/ui/toast.tsx';
import { useSaveForm } from '#app/ui/use-save-form.ts';
import { payVendor } from '#contracts/console/vendors.ts';
import { z } from '#contracts/z.ts';
import { formatPaise } from '#domain/money.ts';
import { calendarDay } from '#domain/time.ts';
import { useRequests } from '../data/requests.ts';
import { checkWith, choice, day, rupees as rupeesTyped, text } from '../form/inputs.ts';
import { notAnExpense } from './amount.tsx';
import styles from './vendors.module.css';

const modes = ['UPI', 'Bank transfer', 'Cash', 'Cheque', 'Card'] as const;

export type PaidVendor = { id: number; name: string; owedPaise: number };

export type PayDialogProps = { vendor: PaidVendor | null; onClose(): void; onPaid(): void };

/** Records a payment to a vendor. */
export function PayDialog({ vendor, onClose, onPaid }: PayDialogProps) {
  const id = useId();
  return (
    <FormDialog open={vendor !== null} onClose={onClose} labelledBy={id}>
      {vendor && <PayForm titleId={id} vendor={vendor} onClose={onClose} onPaid={onPaid} />}
    </FormDialog>
  );
}

function PayForm({ titleId, vendor, onClose, onPaid }: PayDialogProps & { titleId: string; vendor: PaidVendor }) {
  const { act } = useRequests();
  // Told again after a bad connection, it is the same payment.
  const [paymentId] = useState(() => crypto.randomUUID());
  const owedRupees = vendor.owedPaise / 100;
  const check = checkWith(
    z.object({
      amount: rupeesTyped({ min: 0.01 }).refine((amount) => amount <= vendor.owedPaise, {
        message: `We owe them ${formatPaise(vendor.owedPaise)}.`,
      }),
      paid_on: day(),
      mode: choice(modes),
      reference: text({ max: 100 }),
    }),
  );
  const form = useSaveForm({
    start: {
      amount: owedRupees.toFixed(owedRupees % 1 === 0 ? 0 : 2),
      paid_on: calendarDay(new Date()),
      mode: 'UPI',
      reference: '',
    },
    check,
    save: ({ amount, ...rest }) =>
      act(payVendor, {
        payment_id: paymentId,
        vendor_id: vendor.id,
        owed_seen_paise: vendor.owedPaise,
        amount_paise: amount,
        ...rest,
      }),
    onSaved: () => {
      toast('success', `Payment to ${vendor.name} recorded.`);
      onPaid();
      onClose();
    },
  });
  return (
    <DialogBody>
      <h2 id={titleId}>Payment to {vendor.name}</h2>
      <Form form={form}>
        <MoneyField
          name="amount"
          label="Amount"
          hint={`We owe them ${formatPaise(vendor.owedPaise)}. The oldest dues are settled first.`}
        />
        <div className={styles.two}>
          <TextField name="paid_on" label="Paid on" type="date" max={calendarDay(new Date())} />
          <SelectField name="mode" label="Payment mode" options={modes.map((mode) => ({ value: mode, label: mode }))} />
        </div>
        <TextField name="reference" label="Reference" maxLength={100} hint="Optional. UTR or cheque number." />
        <FormEnd submitLabel="Record payment" cancel={<Button onClick={onClose}>Cancel</Button>} />
      </Form>
      <p className={styles.note}>{notAnExpense}</p>
    </DialogBody>
  );
}
