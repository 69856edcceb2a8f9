import { useWatch } from 'react-hook-form';
import { SelectField, TextField } from '#app/ui/fields.tsx';
import { toast } from '#app/ui/toast.tsx';
import { useSaveForm } from '#app/ui/use-save-form.ts';
import { Spoiled } from '#contracts/checkout.ts';
import type { Delivery, Order } from '#contracts/console/order.ts';
import { changeAddress } from '#contracts/console/order-work.ts';
import { z } from '#contracts/z.ts';
import { spoiledCaution } from '#domain/delivery/delivery-messages.ts';
import { indianStates, unionTerritories } from '#domain/indian-states.ts';
import { conflictingStateOfPincode } from '#domain/orders/state-of-pincode.ts';
import type { Outcome } from '../data/requests.ts';
import { checkWith, optional, phone, pincode, text } from '../form/inputs.ts';
import styles from './detail/action-dialog.module.css';
import { ActionForm } from './detail/action-dialog.tsx';

import type { OrderFormProps } from './detail/order-forms.ts';

const Changed = z.object({ spoiled: z.array(Spoiled) });
const who = { name: text({ min: 1, max: 120 }), phone: phone() };
export const deliveryCheck = z
  .object({
    ...who,
    building_no: text({ min: 1, max: 120 }),
    street: text({ min: 1, max: 200 }),
    city: text({ min: 1, max: 80 }),
    state: text({ min: 1, max: 80 }),
    zip: pincode(),
  })
  .superRefine(({ state, zip }, { addIssue }) => {
    const other = conflictingStateOfPincode(zip, state);
    if (other) addIssue({ code: 'custom', path: ['state'], message: `Pincode ${zip} is in ${other}.` });
  });
const pickupCheck = z.object({
  ...who,
  building_no: text({ max: 120 }),
  street: text({ max: 200 }),
  city: text({ max: 80 }),
  state: text({ max: 80 }),
  zip: optional(pincode()).transform((zip) => zip ?? ''),
});

export const deliverySchema = (fulfilment: Order['fulfilment']): z.ZodType<Delivery> =>
  fulfilment === 'delivery' ? deliveryCheck : pickupCheck;

/** Who gets the parcel and where, until it is packed. */
export function AddressForm({ order, act, onDone, onClose }: OrderFormProps) {
  const isDelivery = order.fulfilment === 'delivery';
  const form = useSaveForm<Delivery, Delivery, Outcome<unknown>>({
    start: order.delivery,
    check: checkWith(deliverySchema(order.fulfilment)),
    save: (delivery) => act(changeAddress, (seen) => ({ ...seen, delivery })),
    onSaved({ value }) {
      onDone('Address saved.');
      const { spoiled } = Changed.parse(value);
      if (spoiled.length > 0) toast('warning', spoiledCaution(spoiled));
    },
  });
  return (
    <ActionForm
      form={form}
      title={isDelivery ? 'Edit address' : 'Edit pick-up details'}
      text={isDelivery && <p>The delivery charge stays the same, even if the pincode changes.</p>}
      submitLabel="Save"
      focusOn="name"
      onClose={onClose}
    >
      <PersonFields />
      {isDelivery && <PlaceFields />}
    </ActionForm>
  );
}

export function PersonFields() {
  return (
    <div className={styles.pair}>
      <TextField name="name" label="Name" maxLength={120} />
      <TextField name="phone" label="Phone" type="tel" inputMode="tel" maxLength={20} />
    </div>
  );
}

export function PlaceFields() {
  return (
    <>
      <TextField name="building_no" label="Building or apartment" maxLength={120} />
      <TextField name="street" label="Street" maxLength={200} />
      <div className={styles.pair}>
        <TextField name="zip" label="Pincode" inputMode="numeric" maxLength={6} />
        <TextField name="city" label="City" maxLength={80} />
      </div>
      <StateField />
    </>
  );
}

const known: readonly string[] = [...indianStates, ...unionTerritories];

export function StateField() {
  // What was written before stays, even if no list knows it.
  const state = useWatch<Delivery, 'state'>({ name: 'state' });
  const states = state === '' || known.includes(state) ? known : [state, ...known];
  return (
    <SelectField
      name="state"
      label="State"
      options={[{ value: '', label: 'Choose a state' }, ...states.map((name) => ({ value: name, label: name }))]}
    />
  );
}
