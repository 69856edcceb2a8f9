import { useState } from 'react';
import buttons from '#app/ui/button.module.css';
import { CheckField, Form, FormEnd, TextField, useForm } from '#app/ui/form.tsx';
import { Panel } from '#app/ui/panel.tsx';
import { toast } from '#app/ui/toast.tsx';
import { type Purchase, receivePurchase } from '#contracts/console/purchases.ts';
import { calendarDay } from '#domain/time.ts';
import { type Outcome, useRequests } from '../data/requests.ts';
import { rupees } from './amount.tsx';
import { packErrors, unpackErrors, useFocusOnErrors } from './line-errors.ts';
import styles from './purchase.module.css';
import { adjustmentFrom, type Coming, checkComing, comingTotal, expectedOf, isMore } from './receive-draft.ts';
import { ReceiveLine } from './receive-line.tsx';

import shared from './vendors.module.css';

export type ReceiveFormProps = { purchase: Purchase; onDone(): void; onCancel(): void };

/** What came, prefilled with what is missing: most deliveries are right. */
export function ReceiveForm({ purchase, onDone, onCancel }: ReceiveFormProps) {
  const { act } = useRequests();
  // Told again after a bad connection, it is the same delivery.
  const [receiptId] = useState(() => crypto.randomUUID());
  const [refused, setRefused] = useState<Record<string, string>>({});
  const form = useForm({
    start: {
      lines: JSON.stringify(expectedOf(purchase.lines)),
      bill_number: '',
      billed_on: calendarDay(new Date()),
      adjustment: '',
      allow_more: false,
    },
    check(values) {
      const came = checkComing(purchase.lines, JSON.parse(values.lines));
      const adjustment = adjustmentFrom(values.adjustment);
      if (!came.ok) return { ok: false, errors: came.errors.lines ? came.errors : packErrors(came.errors) };
      if (adjustment === null) return { ok: false, errors: { adjustment: 'Enter an amount, such as 40 or -0.37.' } };
      const { bill_number, billed_on, allow_more } = values;
      return {
        ok: true,
        value: { lines: came.value, adjustment_paise: adjustment, bill_number, billed_on, allow_more },
      };
    },
    save: async (value): Promise<Outcome<unknown>> => {
      setRefused({});
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
      setRefused({ [`lines.${place}.quantity`]: saved.message });
      return { ...saved, field: null, message: `${purchase.lines[place]?.item_name}: ${saved.message}` };
    },
    onSaved: () => {
      toast('success', 'Goods received. Stock and vendor account updated.');
      onDone();
    },
  });
  const coming: Coming[] = JSON.parse(form.values.lines);
  useFocusOnErrors(form.element, form.errors.lines);
  const isOver = purchase.lines.some((line, place) => isMore(line, coming[place] ?? { quantity: '', setsCost: false }));

  return (
    <Panel title="Receive goods">
      <Form form={form}>
        <ul className={styles.lines}>
          {purchase.lines.map((line, place) => (
            <ReceiveLine
              key={line.id}
              line={line}
              place={place}
              coming={coming[place] ?? { quantity: '', setsCost: false }}
              error={{ ...unpackErrors(form.errors.lines), ...refused }[`lines.${place}.quantity`]}
              onChange={(next) => {
                setRefused({});
                form.set('lines', JSON.stringify(coming.with(place, next)));
              }}
            />
          ))}
        </ul>
        {form.errors.lines && !form.errors.lines.startsWith('{') && (
          <p role="alert" className={styles.error}>
            {form.errors.lines}
          </p>
        )}
        {isOver && (
          <CheckField
            form={form}
            name="allow_more"
            label="Accept more than ordered"
            hint="This looks like a typo. Tick to accept the extra."
          />
        )}
        <div className={shared.two}>
          <TextField form={form} name="bill_number" label="Vendor’s bill number" maxLength={60} />
          <TextField
            form={form}
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
            form={form}
            name="adjustment"
            label="Freight, rounding or discount"
            prefix="₹"
            inputMode="text"
            hint="Anything else on the bill. Use a minus for a discount."
          />
        </div>
        <p className={styles.total}>
          Amount payable <b>{rupees(comingTotal(purchase.lines, coming, form.values.adjustment))}</b>
        </p>
        <FormEnd
          form={form}
          submitLabel="Receive goods"
          cancel={
            <button type="button" className={buttons.quiet} onClick={onCancel}>
              Cancel
            </button>
          }
        />
      </Form>
    </Panel>
  );
}
