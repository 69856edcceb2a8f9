import type { OrderProgress } from '#app/parts/order-progress/order-standing.ts';
import type { ResultOf } from '#contracts/contract.ts';
import type { orderByLink } from '#contracts/order-links.ts';
import { type Paise, paise } from '#domain/money.ts';
import { instantFrom } from '#domain/time.ts';

/** An order as its link shows it. Text only: it goes from the server to the browser. */
export type FollowedOrder = NonNullable<ResultOf<typeof orderByLink>>;

/** As the timeline reads it. What the shop wrote in its own words stays in the emails. */
export function progressOf(order: FollowedOrder): OrderProgress {
  return {
    status: order.status,
    paymentStatus: order.payment_status,
    fulfilment: order.fulfilment,
    deliveryBy: startOf(order.delivery_by),
    isChosenDay: order.deliver_on !== null,
    missedDay: startOf(order.missed_day),
    courier: order.courier,
    trackingNumber: order.tracking_number,
    trackingUrl: order.tracking_url,
    cancelReason: null,
    events: order.events.map(({ status, by, at }) => ({ status, by, note: '', at: instantFrom(at) })),
  };
}

const startOf = (day: string | null): Date | null => (day ? instantFrom(`${day}T00:00:00+05:30`) : null);

/** To whom it goes, with no more than somebody needs who knows it anyway. */
export function destinationOf({ to: { name, city, phone_end }, fulfilment }: FollowedOrder): string[] {
  const phone = phone_end ? `Phone ending in ${phone_end}` : '';
  return [fulfilment === 'pickup' ? `${name}, pick-up` : [name, city].filter(Boolean).join(', '), phone].filter(
    Boolean,
  );
}

export type Amount = { label: 'subtotal' | 'tax' | 'shipping' | 'total'; paise: Paise };

export const amountsOf = (order: FollowedOrder): Amount[] => [
  { label: 'subtotal', paise: paise(order.sub_total_paise) },
  { label: 'tax', paise: paise(order.tax_paise) },
  { label: 'shipping', paise: paise(order.shipping_paise) },
  { label: 'total', paise: paise(order.total_paise) },
];
