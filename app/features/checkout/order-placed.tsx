import { lazy, Suspense } from 'react';
import { useSession } from '#app/backend/session.tsx';
import { Facts, NextSteps, Part, PlacedItems, PlacedOffers, Thanks } from '#app/parts/confirmation/placed.tsx';
import { WhereNext, Words } from '#app/parts/confirmation/words.tsx';
import type { CheckoutState } from '#domain/checkout/checkout-state.ts';
import { formatPaise } from '#domain/money.ts';
import { formatCalendarDay } from '#domain/time.ts';

const GiftReminder = lazy(() => import('#app/parts/confirmation/gift-reminder.tsx'));

type Placed = Extract<CheckoutState, { state: 'ordered' }>;

/** The order is there: when it comes, what was bought, where it goes and what happens next. */
export function OrderPlaced({ order, counterAddress }: { order: Placed; counterAddress: string }) {
  const { client } = useSession();
  const isPickup = order.fulfilment === 'pickup';
  const place = isPickup ? counterAddress : order.address.join(', ');
  return (
    <Words title="Order placed" actions={<WhereNext />}>
      <Thanks>Thank you! Your sweets will be made fresh and packed with care.</Thanks>
      <Facts facts={[['Order', `#${order.number}`], ['Paid', formatPaise(order.totalPaise)], ...whenOf(order)]} />
      {order.missedDay && (
        <p role="note">
          Your payment reached us too late for {formatCalendarDay(order.missedDay)}
          {order.deliveryBy &&
            `, so your order arrives on ${formatCalendarDay(order.deliveryBy)}, the next possible day`}
          . If that doesn’t suit you, cancel it in your order history or write to us.
        </p>
      )}
      {order.items.length > 0 && (
        <Part title="Your order">
          <PlacedItems items={order.items} />
          {order.offers.length > 0 && <PlacedOffers offers={order.offers} />}
        </Part>
      )}
      {place && (
        <Part title={isPickup ? 'Pick up at' : 'Delivering to'}>
          <p>{place}</p>
        </Part>
      )}
      <NextSteps steps={nextSteps(order)} />
      {order.isGift && (
        <Suspense>
          <GiftReminder client={client} />
        </Suspense>
      )}
    </Words>
  );
}

function whenOf({ fulfilment, deliveryBy, deliverOn }: Placed): [string, string][] {
  if (fulfilment === 'pickup') return [['Pick-up', 'At our counter']];
  return deliveryBy ? [[deliverOn ? 'Arrives on' : 'Arrives by', formatCalendarDay(deliveryBy)]] : [];
}

function nextSteps({ fulfilment, deliveryBy, deliverOn }: Placed): string[] {
  const making = deliverOn ? 'make it fresh, just in time for your day' : 'start making it';
  const first = `We confirm your order and ${making}. You can cancel it in your order history until we start.`;
  if (fulfilment === 'pickup')
    return [
      first,
      'We’ll email you as soon as it’s ready.',
      'Collect it at our counter. Please bring the order number.',
    ];
  return [
    first,
    'We pack it, hand it to the courier and email you the tracking link.',
    deliveryBy ? `It arrives ${deliverOn ? 'on' : 'by'} ${formatCalendarDay(deliveryBy)}.` : 'It arrives at your door.',
  ];
}
