import { useState } from 'react';
import { useWatch } from 'react-hook-form';
import { MoneyField, TextAreaField } from '#app/ui/fields.tsx';
import { Stepper } from '#app/ui/stepper.tsx';
import { useSaveForm } from '#app/ui/use-save-form.ts';
import { type Claim, refundClaim, refuseClaim, replaceClaim, sendReplacement } from '#contracts/console/claims.ts';
import { z } from '#contracts/z.ts';
import { decisionTemplates } from '#domain/claims/answer-templates.ts';
import { unitShare } from '#domain/claims/refund-share.ts';
import { formatPaise, paiseFromRupees } from '#domain/money.ts';
import { useRequests } from '../../data/requests.ts';
import { checkWith, optional, rupees, text } from '../../form/inputs.ts';
import { ActionForm } from '../detail/action-dialog.tsx';
import { CourierFields, courierFields } from '../detail/move-form.tsx';
import { factsOf } from './claim-answers.tsx';
import styles from './claim-page.module.css';

export type DecisionFormProps = { claim: Claim; onDone(message: string): void; onClose(): void };

type Item = Claim['claimed'][number];
const words = text({ min: 1, max: 2000 });
const checkRefund = checkWith(z.object({ words, shipping: optional(rupees({ min: 0 })) }));
const checkWords = checkWith(z.object({ words }));
const checkSend = checkWith(z.object(courierFields));

/** How many of an item can still be given for this claim. */
const openOf = ({ quantity, ordered, given }: Item) => Math.min(quantity, ordered - given);

function useQuantities(claim: Claim) {
  const [quantities, setQuantities] = useState<Readonly<Record<number, number>>>(() =>
    Object.fromEntries(claim.claimed.map((item) => [item.order_item_id, openOf(item)])),
  );
  const of = ({ order_item_id }: Item) => quantities[order_item_id] ?? 0;
  return {
    of,
    set: ({ order_item_id }: Item, quantity: number) => setQuantities({ ...quantities, [order_item_id]: quantity }),
    items: claim.claimed
      .filter((item) => of(item) > 0)
      .map((item) => ({ order_item_id: item.order_item_id, quantity: of(item) })),
  };
}

type Quantities = ReturnType<typeof useQuantities>;

/** What of a line is given back: never more than what is left of it. */
const amountOf = (item: Item, quantity: number) =>
  Math.min(unitShare(item.line_paise ?? 0, item.ordered, item.given, quantity), item.left_paise ?? 0);

function Items({ claim, quantities, detail }: { claim: Claim; quantities: Quantities; detail?(item: Item): string }) {
  return (
    <fieldset className={styles.items}>
      <legend>How many of each</legend>
      {claim.claimed.map((item) => (
        <div key={item.order_item_id} className={styles.line}>
          <span>
            {item.name}
            <small>{detail?.(item)}</small>
          </span>
          <Stepper
            value={quantities.of(item)}
            min={0}
            max={openOf(item)}
            label={`How many of ${item.name}`}
            onChange={(quantity) => quantities.set(item, quantity)}
          />
        </div>
      ))}
    </fieldset>
  );
}

const message = (
  <TextAreaField
    name="words"
    label="Message to the customer"
    hint="They get it by email and read it in their ticket."
    rows={5}
    maxLength={2000}
  />
);

export function RefundForm({ claim, onDone, onClose }: DecisionFormProps) {
  const { act } = useRequests();
  const quantities = useQuantities(claim);
  const form = useSaveForm({
    start: { words: decisionTemplates.refund.text(factsOf(claim)), shipping: '' },
    check: checkRefund,
    save: (typed) =>
      act(refundClaim, {
        claim_id: claim.id,
        seen: claim.updated_at,
        items: quantities.items,
        shipping_paise: typed.shipping ?? 0,
        words: typed.words,
      }),
    onSaved: ({ value }) => onDone(`${formatPaise(value.refund_paise)} will be refunded.`),
  });
  const goods = claim.claimed.reduce((sum, item) => sum + amountOf(item, quantities.of(item)), 0);
  return (
    <ActionForm
      form={form}
      title={`Refund claim ${claim.ticket}`}
      text={
        claim.money.paid_paise === 0 ? (
          <p>Nothing was paid for this order.</p>
        ) : (
          <p>Each item goes back with its tax, and gets its credit note.</p>
        )
      }
      submitLabel="Refund"
      tone="danger"
      focusOn="words"
      onClose={onClose}
    >
      <Items
        claim={claim}
        quantities={quantities}
        detail={(item) => formatPaise(amountOf(item, quantities.of(item)))}
      />
      {claim.shipping_left_paise > 0 && (
        <MoneyField
          name="shipping"
          label="Shipping"
          placeholder="0"
          hint={`Up to ${formatPaise(claim.shipping_left_paise)} of the shipping can go back, too.`}
        />
      )}
      <Sum control={form.control} goods={goods} />
      {message}
    </ActionForm>
  );
}

type Control = ReturnType<typeof useSaveForm<{ words: string; shipping: string }, unknown, { ok: true }>>['control'];

function Sum({ control, goods }: { control: Control; goods: number }) {
  const shipping = useWatch({ control, name: 'shipping' });
  const paise = /^\s*\d+(\.\d{1,2})?\s*$/.test(shipping) ? (paiseFromRupees(shipping.trim()) ?? 0) : 0;
  return (
    <p className={styles.sum} role="status">
      <span>Refund</span>
      <span>{formatPaise(goods + paise)}</span>
    </p>
  );
}

export function ReplaceForm({ claim, onDone, onClose }: DecisionFormProps) {
  const { act } = useRequests();
  const quantities = useQuantities(claim);
  const form = useSaveForm({
    start: { words: decisionTemplates.replacement.text(factsOf(claim)) },
    check: checkWords,
    save: (typed) =>
      act(replaceClaim, { claim_id: claim.id, seen: claim.updated_at, items: quantities.items, words: typed.words }),
    onSaved: () => onDone('Replacement decided. Pack it, then mark it as sent here.'),
  });
  return (
    <ActionForm
      form={form}
      title={`Replacement for claim ${claim.ticket}`}
      text={<p>It takes the items from stock at no charge. Their cost counts as wastage and replacements.</p>}
      submitLabel="Send replacement"
      focusOn="words"
      onClose={onClose}
    >
      <Items claim={claim} quantities={quantities} />
      {message}
    </ActionForm>
  );
}

export function RefuseForm({ claim, onDone, onClose }: DecisionFormProps) {
  const { act } = useRequests();
  const form = useSaveForm({
    start: { words: decisionTemplates.refusal.text(factsOf(claim)) },
    check: checkWords,
    save: (typed) => act(refuseClaim, { claim_id: claim.id, seen: claim.updated_at, words: typed.words }),
    onSaved: () => onDone(`Claim ${claim.ticket} refused.`),
  });
  return (
    <ActionForm
      form={form}
      title={`Refuse claim ${claim.ticket}?`}
      text={<p>The customer gets your reason, and is told whom they can complain to. You can still refund it later.</p>}
      submitLabel="Refuse"
      tone="danger"
      focusOn="words"
      onClose={onClose}
    >
      <TextAreaField name="words" label="Reason, for the customer" rows={5} maxLength={2000} />
    </ActionForm>
  );
}

export function SendForm({ claim, onDone, onClose }: DecisionFormProps) {
  const { act } = useRequests();
  const form = useSaveForm({
    start: { courier: '', tracking_number: '', tracking_url: '' },
    check: checkSend,
    save: (typed) => act(sendReplacement, { claim_id: claim.id, seen: claim.updated_at, ...typed }),
    onSaved: () => onDone('Replacement marked as sent.'),
  });
  return (
    <ActionForm
      form={form}
      title="Mark replacement as sent"
      submitLabel="Mark as sent"
      focusOn="courier"
      onClose={onClose}
    >
      <CourierFields />
    </ActionForm>
  );
}
