import { useId } from 'react';
import { Button } from '#app/ui/button.tsx';
import { DialogBody } from '#app/ui/dialog.tsx';
import { SelectField, TextField } from '#app/ui/fields.tsx';
import { Form, FormEnd } from '#app/ui/form.tsx';
import { FormDialog } from '#app/ui/form-dialog.tsx';
import { toast } from '#app/ui/toast.tsx';
import { useSaveForm } from '#app/ui/use-save-form.ts';
import { type OpenRefund, recordRefund } from '#contracts/console/refunds.ts';
import { formatPaise } from '#domain/money.ts';
import { calendarDay } from '#domain/time.ts';
import { useRequests } from '../../data/requests.ts';
import { checkByHand, handMethodOptions } from './by-hand.ts';
import styles from './refunds-page.module.css';

type RecordDialogProps = { refund: OpenRefund | null; onClose(): void; onRecorded(): void };

/** Records that the shop paid a refund back itself: how, with which reference and on which day. */
export function RecordDialog({ refund, onClose, onRecorded }: RecordDialogProps) {
  const id = useId();
  return (
    <FormDialog open={refund !== null} onClose={onClose} labelledBy={id}>
      {refund && <RecordForm titleId={id} refund={refund} onClose={onClose} onRecorded={onRecorded} />}
    </FormDialog>
  );
}

function RecordForm({
  titleId,
  refund,
  onClose,
  onRecorded,
}: RecordDialogProps & { titleId: string; refund: OpenRefund }) {
  const { act } = useRequests();
  const amount = formatPaise(refund.amount_paise);
  const form = useSaveForm({
    start: { method: 'upi', reference: '', paid_on: calendarDay(new Date()) },
    check: checkByHand,
    save: (typed) =>
      act(recordRefund, {
        order_id: refund.order?.id ?? null,
        refund_id: refund.failed_attempt,
        amount_paise: refund.amount_paise,
        ...typed,
      }),
    onSaved: () => {
      toast('success', `Refund of ${amount} recorded.`);
      onRecorded();
      onClose();
    },
  });
  return (
    <DialogBody>
      <h2 id={titleId}>
        Record {amount} paid back{refund.customer ? ` to ${refund.customer}` : ''}
      </h2>
      <p className={styles.note}>
        Pay the money back first. This only records it{refund.failed_attempt ? ' and stops further attempts' : ''}. The
        customer sees how it was paid, the day and the reference.
      </p>
      <Form form={form}>
        <div className={styles.two}>
          <SelectField name="method" label="Paid back by" options={handMethodOptions} />
          <TextField name="paid_on" label="Paid back on" type="date" max={calendarDay(new Date())} />
        </div>
        <TextField
          name="reference"
          label="Reference"
          hint="UTR or transaction number. For cash, a note such as who received it."
          maxLength={100}
        />
        <FormEnd submitLabel="Record refund" cancel={<Button onClick={onClose}>Cancel</Button>} />
      </Form>
    </DialogBody>
  );
}
