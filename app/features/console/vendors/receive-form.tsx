import { useState } from 'react';
import { Button } from '#app/ui/button.tsx';
import { CheckField, TextField } from '#app/ui/fields.tsx';
import { Form, FormEnd } from '#app/ui/form.tsx';
import { Panel } from '#app/ui/panel.tsx';
import { toast } from '#app/ui/toast.tsx';
import { useSaveForm } from '#app/ui/use-save-form.ts';
import { type Purchase, receivePurchase } from '#contracts/console/purchases.ts';
import { formatPaise } from '#domain/money.ts';
import { calendarDay } from '#domain/time.ts';
import { type Outcome, useRequests } from '../data/requests.ts';
import styles from './purchase.module.css';
import { adjustmentFrom, checkComing, comingTotal, expectedOf, isMore } from './receive-draft.ts';
import { ReceiveLine } from './receive-line.tsx';

import shared from './vendors.module.css';

export type ReceiveFormProps = { purchase: Purchase; onDone(): void; onCancel(): void };

/** What came, prefilled with what is missing: most deliveries are right. */
export function ReceiveForm({ purchase, onDone, onCancel }: ReceiveFormProps) {
  const { act } = useRequests();
  // Told again after a bad connection, it is the same delivery.
  const [receiptId] = useState(() => crypto.randomUUID());
  const form = useSaveForm({
    start: {
      lines: expectedOf(purchase.lines),
      bill_number: '',
      billed_on: calendarDay(new Date()),
      adjustment: '',
      allow_more: false,
    },
    check(values) {
      const came = checkComing(purchase.lines, values.lines);
      const adjustment = adjustmentFrom(values.adjustment);
      if (!came.ok) return came;
      if (adjustment === null) return { ok: false, errors: { adjustment: 'Enter an amount, such as 40 or -0.37.' } };
      const { bill_number, billed_on, allow_more } = values;
      return {
        ok: true,
        value: { lines: came.value, adjustment_paise: adjustment, bill_number, billed_on, allow_more },
      };
    },
    save: async (value): Promise<Outcome<unknown>> => {
      const saved = await act(receivePurchase, {
        receipt_id: receiptId,
        purchase_id: purchase.id,
        seen: purchase.updated_at,
        ...value,
      });
      if (saved.ok) return saved;
      const [, sent] = /^lines\.(\d+)\./.exec(saved.field ?? '') ?? [];
      if (sent === undefined) return saved;
      const place = purchase.lines.findIndex(({ id }) => id === value.lines[Number(sent)]?.item_id);
      return { ...saved, field: `lines.${place}.quantity` };
    },
    onSaved: () => {
      toast('success', 'Goods received. Stock and vendor account updated.');
      onDone();
    },
  });
  const { lines, adjustment } = form.watch();
  const { errors } = form.formState;
  const isOver = purchase.lines.some((line, place) => isMore(line, lines[place] ?? { quantity: '', setsCost: false }));

  return (
    <Panel title="Receive goods">
      <Form form={form}>
        <ul className={styles.lines}>
          {purchase.lines.map((line, place) => (
            <ReceiveLine key={line.id} line={line} place={place} />
          ))}
        </ul>
        {errors.lines?.message && (
          <p role="alert" className={styles.error}>
            {errors.lines.message}
          </p>
        )}
        {isOver && (
          <CheckField
            name="allow_more"
            label="Accept more than ordered"
            hint="This looks like a typo. Tick to accept the extra."
          />
        )}
        <div className={shared.two}>
          <TextField name="bill_number" label="Vendor’s bill number" maxLength={60} />
          <TextField
            name="billed_on"
            label="Bill date"
            type="date"
            max={calendarDay(new Date())}
            hint={
              purchase.vendor.payment_terms_days === 0
                ? 'Due immediately.'
                : `Due ${purchase.vendor.payment_terms_days === 1 ? '1 day' : `${purchase.vendor.payment_terms_days} days`} later.`
            }
          />
          <TextField
            name="adjustment"
            label="Freight, rounding or discount"
            prefix="₹"
            inputMode="text"
            hint="Anything else on the bill. Use a minus for a discount."
          />
        </div>
        <p className={styles.total}>
          Amount payable <b>{formatPaise(comingTotal(purchase.lines, lines, adjustment))}</b>
        </p>
        <FormEnd submitLabel="Receive goods" cancel={<Button onClick={onCancel}>Cancel</Button>} />
      </Form>
    </Panel>
  );
}
