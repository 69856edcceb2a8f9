import { useSaveForm } from '#app/ui/use-save-form.ts';
import { sendAgain } from '#contracts/console/groups.ts';
import type { Order } from '#contracts/console/order.ts';
import { checkWith } from '../../form/inputs.ts';
import { deliveryCheck, PersonFields, PlaceFields } from '../address-form.tsx';
import { ActionForm } from './action-dialog.tsx';
import { rememberCourier } from './couriers.ts';
import { CourierFields, courierFields } from './move-form.tsx';
import type { OrderFormProps } from './order-forms.ts';

const checkResend = checkWith(deliveryCheck.safeExtend(courierFields));

export type ResendFormProps = Pick<OrderFormProps, 'act' | 'onDone' | 'onClose'> & {
  order: Pick<Order, 'number' | 'delivery' | 'courier'>;
};

/** A parcel that came back: its address corrected, and on its way once more. */
export function ResendForm({ order, act, onDone, onClose }: ResendFormProps) {
  const form = useSaveForm({
    start: { ...order.delivery, courier: order.courier ?? '', tracking_number: '', tracking_url: '' },
    check: checkResend,
    save({ courier, tracking_number, tracking_url, ...delivery }) {
      rememberCourier(courier);
      return act(sendAgain, (seen) => ({ ...seen, delivery, courier, tracking_number, tracking_url }));
    },
    onSaved: () => onDone(`Order ${order.number} is on its way again.`),
  });
  return (
    <ActionForm
      form={form}
      title={`Send order ${order.number} again?`}
      text={
        <p>
          Check the address with the customer, and that the sweets are still fresh. The state can’t change: the invoice
          was issued for it.
        </p>
      }
      submitLabel="Send again"
      focusOn="name"
      onClose={onClose}
    >
      <PersonFields />
      <PlaceFields />
      <CourierFields />
    </ActionForm>
  );
}
