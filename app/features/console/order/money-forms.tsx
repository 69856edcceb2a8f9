import { useState } from 'react';
import { z } from 'zod';
import buttons from '#app/ui/button.module.css';
import { SelectField, TextField, useForm } from '#app/ui/form.tsx';
import { nextStatuses } from '#domain/orders/status.ts';
import { checkWith, choice, rupees as rupeesTyped, text } from '../inputs.ts';
import styles from './action-dialog.module.css';
import { ActionForm } from './action-dialog.tsx';
import type { OrderFormProps } from './order-forms.ts';
import { refundChoices } from './order-sums.ts';
import { rupees } from './order-words.ts';

const checkRefund = checkWith(
  z.object({ amount_paise: rupeesTyped({ min: 0.01 }), reason: text({ min: 1, max: 300 }) }),
);
const checkCancel = checkWith(z.object({ reason: text({ min: 1, max: 300 }), goods: choice(['stock', 'wastage']) }));

const asTyped = (amount: number) => (amount % 100 === 0 ? String(amount / 100) : (amount / 100).toFixed(2));

export function RefundForm({ order, act, onDone, onClose }: OrderFormProps) {
  const { money, payment } = order;
  const isByHand = payment === null;
  const choices = refundChoices(order);
  const [line, setLine] = useState<number | null>(null);
  /** The sweet that was chosen, as long as the amount is its own: another amount is for the order as a whole. */
  const lineOf = (paise: number) => choices.find((one) => one.line === line && one.paise === paise)?.line ?? undefined;
  const form = useForm({
    start: { amount_paise: asTyped(money.refundable_paise), reason: '' },
    check: checkRefund,
    save: (typed) => act('admin_refund_order', { ...typed, order_item_id: lineOf(typed.amount_paise) }),
    onSaved: () => onDone(isByHand ? 'The refund is recorded.' : 'The refund is on its way.'),
  });
  const canCancel = nextStatuses(order, 'administrator').includes('canceled');
  const isOver = order.status === 'Delivered' || order.status === 'Collected';
  return (
    <ActionForm
      form={form}
      title="Refund"
      text={
        <p>
          {rupees(money.refundable_paise)} of {rupees(money.paid_paise)} can be given back.{' '}
          {isByHand
            ? 'It was paid by hand, so give it back by hand: here it is only recorded.'
            : 'It goes back in the way it was paid.'}{' '}
          {isOver && 'Giving back all of it makes the order Refunded.'}
          {canCancel && 'The order itself goes on; to stop it, cancel it instead.'}
        </p>
      }
      submitLabel={isByHand ? 'Record refund' : 'Refund'}
      tone="danger"
      focusOn="reason"
      onClose={onClose}
    >
      <fieldset className={styles.picks} aria-label="Amounts">
        {choices.map(({ label, paise, line: ofLine }) => (
          <button
            key={ofLine}
            type="button"
            className={buttons.small}
            onClick={() => {
              setLine(ofLine);
              form.set('amount_paise', asTyped(paise));
            }}
          >
            {label} {rupees(paise)}
          </button>
        ))}
      </fieldset>
      <TextField form={form} name="amount_paise" label="Amount" prefix="₹" inputMode="decimal" />
      <TextField
        form={form}
        name="reason"
        label="Reason"
        hint="For ourselves: the customer does not read it."
        maxLength={300}
      />
    </ActionForm>
  );
}

export function CancelForm({ order, act, onDone, onClose }: OrderFormProps) {
  const { money, payment, status } = order;
  const form = useForm({
    // What has been on the road is hardly sold again.
    start: { reason: '', goods: status === 'Undelivered' ? 'wastage' : 'stock' },
    check: checkCancel,
    save: (typed) => act('admin_cancel_order', typed),
    onSaved: () => onDone(`Order ${order.number} is canceled.`),
  });
  return (
    <ActionForm
      form={form}
      title={`Cancel order ${order.number}?`}
      text={
        <p>
          This cannot be undone.{' '}
          {money.refundable_paise > 0 &&
            (payment
              ? `${rupees(money.refundable_paise)} goes back to the customer by itself.`
              : `${rupees(money.refundable_paise)} was paid by hand: give it back and record the refund afterwards.`)}
        </p>
      }
      submitLabel="Cancel order"
      tone="danger"
      focusOn="reason"
      onClose={onClose}
    >
      <TextField
        form={form}
        name="reason"
        label="Reason"
        hint={order.customer ? 'The customer reads it in the mail and in the order history.' : undefined}
        maxLength={300}
      />
      <SelectField
        form={form}
        name="goods"
        label="Where do the sweets go?"
        options={[
          { value: 'stock', label: 'Back to stock' },
          { value: 'wastage', label: 'To wastage: they cannot be sold' },
        ]}
      />
    </ActionForm>
  );
}
