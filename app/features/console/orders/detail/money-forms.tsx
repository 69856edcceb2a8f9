import { useState } from 'react';
import { Button } from '#app/ui/button.tsx';
import { MoneyField, SelectField, TextField } from '#app/ui/fields.tsx';
import { useSaveForm } from '#app/ui/use-save-form.ts';
import { cancelOrder, refundOrder } from '#contracts/console/order-work.ts';
import type { ArgsOf } from '#contracts/contract.ts';
import { z } from '#contracts/z.ts';
import { formatPaise, rupeesInput } from '#domain/money.ts';
import { nextStatuses } from '#domain/orders/status.ts';
import { calendarDay } from '#domain/time.ts';
import { type Checked, checkWith, choice, rupees as rupeesTyped, text } from '../../form/inputs.ts';
import { refundChoices } from '../order-sums.ts';
import { byHandFields, handMethodOptions, hasReference, referenceMissing } from '../refunds/by-hand.ts';
import styles from './action-dialog.module.css';
import { ActionForm } from './action-dialog.tsx';
import type { OrderFormProps } from './order-forms.ts';

const refundFields = { amount_paise: rupeesTyped({ min: 0.01 }), reason: text({ min: 1, max: 300 }) };
const checkRefund = checkWith(z.object(refundFields));
const checkRefundByHand = checkWith(
  z.object({ ...refundFields, ...byHandFields }).refine(hasReference, referenceMissing),
);
const checkCancel = checkWith(z.object({ reason: text({ min: 1, max: 300 }), goods: choice(['stock', 'wastage']) }));

type RefundTyped = Pick<ArgsOf<typeof refundOrder>, 'amount_paise' | 'reason' | 'method' | 'reference' | 'paid_on'>;

export function RefundForm({ order, act, onDone, onClose }: OrderFormProps) {
  const { money, payment } = order;
  const isByHand = payment === null;
  const choices = refundChoices(order);
  const [line, setLine] = useState<number | null>(null);
  /** The sweet that was chosen, as long as the amount is its own: another amount is for the order as a whole. */
  const lineOf = (paise: number) => choices.find((one) => one.line === line && one.paise === paise)?.line ?? undefined;
  const today = calendarDay(new Date());
  const form = useSaveForm({
    start: {
      amount_paise: rupeesInput(money.refundable_paise),
      reason: '',
      method: order.offline_method ?? 'cash',
      reference: '',
      paid_on: today,
    },
    check: (typed): Checked<RefundTyped> => (isByHand ? checkRefundByHand(typed) : checkRefund(typed)),
    save: (typed) => act(refundOrder, (seen) => ({ ...seen, ...typed, order_item_id: lineOf(typed.amount_paise) })),
    onSaved: () => onDone(isByHand ? 'Refund recorded.' : 'Refund started.'),
  });
  const canCancel = nextStatuses(order, 'administrator').includes('canceled');
  const isOver = order.status === 'Delivered' || order.status === 'Collected';
  return (
    <ActionForm
      form={form}
      title="Refund"
      text={
        <p>
          {formatPaise(money.refundable_paise)} of {formatPaise(money.paid_paise)} can be refunded.{' '}
          {isByHand
            ? 'It was paid offline, so pay it back yourself and record it here.'
            : 'It will be sent back the way it was paid.'}{' '}
          {isOver && 'Refunding the full amount marks the order as Refunded.'}
          {canCancel && 'The order stays active. To stop it, cancel it instead.'}
        </p>
      }
      submitLabel={isByHand ? 'Record refund' : 'Refund'}
      tone="danger"
      focusOn="reason"
      onClose={onClose}
    >
      <fieldset className={styles.picks} aria-label="Amounts">
        {choices.map(({ label, paise, line: ofLine }) => (
          <Button
            key={ofLine}
            size="small"
            onClick={() => {
              setLine(ofLine);
              form.change({ amount_paise: rupeesInput(paise) });
            }}
          >
            {label} {formatPaise(paise)}
          </Button>
        ))}
      </fieldset>
      <MoneyField name="amount_paise" label="Amount" />
      <TextField name="reason" label="Reason" hint="Internal only. The customer doesn’t see it." maxLength={300} />
      {isByHand && (
        <>
          <SelectField name="method" label="Paid back by" options={handMethodOptions} />
          <TextField
            name="reference"
            label="Reference"
            hint="UTR or transaction number; the customer sees it. For cash, a note."
            maxLength={100}
          />
          <TextField name="paid_on" label="Paid back on" type="date" max={today} />
        </>
      )}
    </ActionForm>
  );
}

export function CancelForm({ order, act, onDone, onClose }: OrderFormProps) {
  const { money, payment, status } = order;
  const form = useSaveForm({
    // What has been on the road is hardly sold again.
    start: { reason: '', goods: status === 'Undelivered' ? 'wastage' : 'stock' },
    check: checkCancel,
    save: (typed) => act(cancelOrder, (seen) => ({ ...seen, ...typed })),
    onSaved: () => onDone(`Order ${order.number} has been cancelled.`),
  });
  return (
    <ActionForm
      form={form}
      title={`Cancel order ${order.number}?`}
      text={
        <p>
          This can’t be undone.{' '}
          {money.refundable_paise > 0 &&
            (payment
              ? `${formatPaise(money.refundable_paise)} will be refunded automatically.`
              : `${formatPaise(money.refundable_paise)} was paid offline. Pay it back, then record the refund here.`)}
        </p>
      }
      submitLabel="Cancel order"
      tone="danger"
      focusOn="reason"
      onClose={onClose}
    >
      <TextField
        name="reason"
        label="Reason"
        hint={order.customer ? 'The customer sees it in the email and in the order history.' : undefined}
        maxLength={300}
      />
      <SelectField
        name="goods"
        label="What happens to the items?"
        options={[
          { value: 'stock', label: 'Return to stock' },
          { value: 'wastage', label: 'Write off as wastage' },
        ]}
      />
    </ActionForm>
  );
}
