import { useEffect, useMemo, useRef } from 'react';
import { useFormContext, useWatch } from 'react-hook-form';
import { href, Link } from 'react-router';
import { statusWords, undoWords } from '#app/features/console/order-status/order-words.ts';
import { SelectField, TextAreaField, TextField } from '#app/ui/fields.tsx';
import { useSaveForm } from '#app/ui/use-save-form.ts';
import { listCouriers } from '#contracts/console/couriers.ts';
import { offlineMethods } from '#contracts/console/order.ts';
import { changeTracking, markOrderPaid, moveOrder } from '#contracts/console/order-work.ts';
import { z } from '#contracts/z.ts';
import { formatPaise } from '#domain/money.ts';
import { emailedStatuses, type OrderStatus } from '#domain/orders/status.ts';
import { type Courier, refilledLink } from '#domain/orders/tracking-link.ts';
import { useShopQuery } from '../../data/shop-query.ts';
import { checkWith, choice, link, optional, text } from '../../form/inputs.ts';
import { offlineWords } from '../order-words.ts';
import styles from './action-dialog.module.css';
import { ActionForm } from './action-dialog.tsx';
import { rememberCourier, rememberedCouriers } from './couriers.ts';
import type { OrderFormProps } from './order-forms.ts';

export const courierFields = {
  courier: text({ max: 80 }),
  tracking_number: text({ max: 80 }),
  tracking_url: optional(link()),
};
const checkMove = checkWith(z.object({ public_note: text({ max: 500 }), ...courierFields }));
const checkTracking = checkWith(z.object(courierFields));
const checkPaid = checkWith(z.object({ method: choice(offlineMethods) }));

/** Brings an order to its next status, with a word to the customer if there is one. */
export function MoveForm({ order, to, act, onDone, onClose }: OrderFormProps & { to: OrderStatus }) {
  const words = statusWords[to];
  const isShipping = to === 'Shipped';
  const isMailed = emailedStatuses.includes(to) && order.customer !== null;
  const form = useSaveForm({
    start: { public_note: '', courier: order.courier ?? '', tracking_number: '', tracking_url: '' },
    check: checkMove,
    save({ public_note, ...carried }) {
      if (isShipping) rememberCourier(carried.courier);
      return act(moveOrder, (seen) => ({ ...seen, to_status: to, public_note, ...(isShipping ? carried : {}) }));
    },
    onSaved: () => onDone(`Order ${order.number} is ${words.done}.`),
  });
  return (
    <ActionForm
      form={form}
      title={words.question(`order ${order.number}`)}
      text={undoWords(to)}
      submitLabel={words.move}
      focusOn={isShipping ? 'courier' : undefined}
      onClose={onClose}
    >
      {isShipping && <CourierFields />}
      <TextAreaField
        name="public_note"
        label="Note to the customer"
        hint={
          order.customer === null
            ? 'This customer has no account, so the note stays with the order.'
            : `Optional. Shown in their order history${isMailed ? ' and in the email' : ''}.`
        }
        rows={2}
        maxLength={500}
      />
    </ActionForm>
  );
}

export function TrackingForm({ order, act, onDone, onClose }: OrderFormProps) {
  const form = useSaveForm({
    start: {
      courier: order.courier ?? '',
      tracking_number: order.tracking_number ?? '',
      tracking_url: order.tracking_url ?? '',
    },
    check: checkTracking,
    save: (typed) => act(changeTracking, (seen) => ({ ...seen, ...typed })),
    onSaved: () => onDone('Tracking saved.'),
  });
  return (
    <ActionForm form={form} title="Courier and tracking" submitLabel="Save" focusOn="courier" onClose={onClose}>
      <CourierFields />
    </ActionForm>
  );
}

/** What forms about a parcel under way have in common. */
export function CourierFields() {
  const { data } = useShopQuery(listCouriers, {});
  const couriers = useMemo(
    () => (data ?? []).map(({ name, tracking_pattern }) => ({ name, trackingPattern: tracking_pattern })),
    [data],
  );
  useTrackingLink(couriers);
  const names = couriers.map(({ name }) => name);
  const typed = rememberedCouriers().filter((name) => !names.includes(name));
  return (
    <>
      <div className={styles.pair}>
        <TextField name="courier" label="Courier" maxLength={80} list="couriers" />
        <TextField name="tracking_number" label="Tracking number" maxLength={80} />
      </div>
      <TextField
        name="tracking_url"
        label="Tracking link"
        type="url"
        inputMode="url"
        placeholder="https://"
        hint={
          <>
            Customers use it to track the parcel. Filled in for{' '}
            <Link to={`${href('/admin/settings')}?tab=couriers`}>your couriers</Link>. All three are optional.
          </>
        }
      />
      <datalist id="couriers">
        {[...names, ...typed].map((courier) => (
          <option key={courier} value={courier} />
        ))}
      </datalist>
    </>
  );
}

type Tracking = { courier: string; tracking_number: string; tracking_url: string };

/** Fills in the tracking link of a known courier, unless one was typed. */
function useTrackingLink(couriers: readonly Courier[]): void {
  const { getValues, setValue } = useFormContext<Tracking>();
  const courier = useWatch<Tracking, 'courier'>({ name: 'courier' });
  const number = useWatch<Tracking, 'tracking_number'>({ name: 'tracking_number' });
  const before = useRef({ courier: '', number: '' });
  useEffect(() => {
    const now = { courier, number, link: getValues('tracking_url') };
    const filled = refilledLink(couriers, before.current, now);
    before.current = now;
    if (filled !== now.link) setValue('tracking_url', filled, { shouldDirty: true });
  }, [couriers, courier, number, getValues, setValue]);
}

/** A phone order that was paid since. */
export function PaidForm({ order, act, onDone, onClose }: OrderFormProps) {
  const form = useSaveForm({
    start: { method: 'cash' as string },
    check: checkPaid,
    save: ({ method }) => act(markOrderPaid, (seen) => ({ ...seen, method })),
    onSaved: () => onDone(`Order ${order.number} marked as paid.`),
  });
  return (
    <ActionForm
      form={form}
      title={`Mark ${formatPaise(order.total_paise)} as paid?`}
      text={<p>Only once you have received the money. This can’t be undone.</p>}
      submitLabel="Mark as paid"
      focusOn="method"
      onClose={onClose}
    >
      <SelectField
        name="method"
        label="Payment mode"
        options={offlineMethods.map((value) => ({ value, label: offlineWords[value] }))}
      />
    </ActionForm>
  );
}
