import { lazy, Suspense } from 'react';
import { useSession } from '#app/backend/session.tsx';
import { Picture } from '#app/ui/picture.tsx';
import { pictureSources } from '#domain/catalog/product-image.ts';
import type { CheckoutState, PlacedItem } from '#domain/checkout/checkout-state.ts';
import { formatPaise } from '#domain/money.ts';
import { formatCalendarDay } from '#domain/time.ts';
import styles from './confirmation-page.module.css';
import { WhereNext, Words } from './words.tsx';

const GiftReminder = lazy(() => import('./gift-reminder.tsx'));

type Placed = Extract<CheckoutState, { state: 'ordered' }>;

/** The order is there: when it comes, what was bought, where it goes and what happens next. */
export function OrderPlaced({ order, counterAddress }: { order: Placed; counterAddress: string }) {
  const { who, client } = useSession();
  const isPickup = order.fulfilment === 'pickup';
  const place = isPickup ? counterAddress : order.address.join(', ');
  return (
    <Words title="Order placed" actions={<WhereNext />}>
      <p>
        Thank you! Your sweets will be made fresh and packed with care.
        {who?.email && (
          <>
            {' '}
            We’ve emailed the details to <b className={styles.email}>{who.email}</b>.
          </>
        )}
      </p>
      <dl className={styles.facts}>
        <div>
          <dt>Order</dt>
          <dd>#{order.number}</dd>
        </div>
        <div>
          <dt>Paid</dt>
          <dd>{formatPaise(order.totalPaise)}</dd>
        </div>
        {isPickup ? (
          <div>
            <dt>Pick-up</dt>
            <dd>At our counter</dd>
          </div>
        ) : (
          order.deliveryBy && (
            <div>
              <dt>{order.deliverOn ? 'Arrives on' : 'Arrives by'}</dt>
              <dd>{formatCalendarDay(order.deliveryBy)}</dd>
            </div>
          )
        )}
      </dl>
      {order.missedDay && (
        <p role="note">
          Your payment reached us too late for {formatCalendarDay(order.missedDay)}
          {order.deliveryBy &&
            `, so your order arrives on ${formatCalendarDay(order.deliveryBy)}, the next possible day`}
          . If that doesn’t suit you, cancel it in your order history or write to us.
        </p>
      )}
      {order.items.length > 0 && (
        <section className={styles.part} aria-labelledby="placed-items">
          <h2 id="placed-items">Your order</h2>
          <ul className={styles.items}>
            {order.items.map((item) => (
              <li key={`${item.name} ${item.sizeGrams}`}>
                <Item item={item} />
              </li>
            ))}
          </ul>
          {order.offers.length > 0 && (
            <dl className={styles.offers}>
              {order.offers.map(({ label, value }) => (
                <div key={label}>
                  <dt>{label}</dt>
                  <dd>{value}</dd>
                </div>
              ))}
            </dl>
          )}
        </section>
      )}
      {place && (
        <section className={styles.part} aria-labelledby="placed-address">
          <h2 id="placed-address">{isPickup ? 'Pick up at' : 'Delivering to'}</h2>
          <p>{place}</p>
        </section>
      )}
      <section className={styles.part} aria-labelledby="placed-next">
        <h2 id="placed-next">What happens next</h2>
        <ol className={styles.next}>
          {nextSteps(order).map((step) => (
            <li key={step}>{step}</li>
          ))}
        </ol>
      </section>
      {order.isGift && (
        <Suspense>
          <GiftReminder client={client} />
        </Suspense>
      )}
    </Words>
  );
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

function Item({ item }: { item: PlacedItem }) {
  return (
    <>
      <Picture sources={pictureSources(item.image)} sizes="56px" width={56} height={56} loading="lazy" />
      <p>
        {item.name}
        <small>
          {item.sizeGrams !== null && `${item.sizeGrams} g · `}Quantity {item.quantity}
        </small>
      </p>
      <span>{formatPaise(item.linePaise)}</span>
    </>
  );
}
