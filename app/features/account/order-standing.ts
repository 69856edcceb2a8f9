import { type Fulfilment, nextStatuses, type OrderStatus } from '#domain/orders/status.ts';
import { formatWeekday } from '#domain/time.ts';
import type { PastOrder } from './order-history.ts';

type Standing = Pick<PastOrder, 'status' | 'paymentStatus' | 'fulfilment' | 'deliveryBy' | 'events'>;

const dayMilliseconds = 24 * 60 * 60 * 1000;

const places: Record<OrderStatus, (fulfilment: Fulfilment) => string> = {
  Pending: () => 'We have your order',
  Confirmed: () => 'Confirmed, next in our kitchen',
  Preparing: () => 'Being made in our kitchen',
  Packed: (fulfilment) => (fulfilment === 'pickup' ? 'Packed, soon ready for you' : 'Packed, leaves us soon'),
  Shipped: () => 'On its way',
  Delivered: () => 'Delivered',
  Undelivered: () => 'Could not be delivered, we are looking into it',
  Ready: () => 'Ready for you to collect',
  Collected: () => 'Collected',
  canceled: () => 'Canceled',
  Refunded: () => 'Refunded',
};

const moneyBack: Record<string, string> = {
  refund_pending: 'your money is on its way back',
  partially_refunded: 'part of your money has been sent back',
  refunded: 'your money has been sent back',
  refund_failed: 'the refund did not go through yet',
};

const moneyOwed: Record<string, string> = {
  ...moneyBack,
  unpaid: 'nothing was paid',
  paid: 'we are sending your money back',
  paid_offline: 'we will give you back what you paid',
};

const moneyKept: Record<string, string> = { ...moneyBack, unpaid: 'not paid yet' };

/** Where the sweets are and where the money is, in one line. */
export function standingOf(order: Standing, now: Date): string {
  const { status, paymentStatus, fulfilment } = order;
  const place = places[status as OrderStatus]?.(fulfilment) ?? status;
  const day = isOver(status) ? dayOf(order) : null;
  const money = (isUndone(status) ? moneyOwed : moneyKept)[paymentStatus];
  const sentence = `${place}${day ? ` on ${day}` : ''}${money ? `, ${money}` : ''}`;
  const arrival = arrivalOf(order, now);
  return arrival ? `${sentence}. ${arrival}` : sentence;
}

/** When it should be there, while it is not. */
export function arrivalOf({ status, fulfilment, deliveryBy }: Standing, now: Date): string | null {
  if (fulfilment !== 'delivery' || !deliveryBy || !isUnderWay(status)) return null;
  const day = formatWeekday(deliveryBy);
  const isLate = now.getTime() >= deliveryBy.getTime() + dayMilliseconds;
  return isLate ? `It was due by ${day}; we are sorry for the delay` : `Arrives by ${day}`;
}

export function isCancelable({ status, fulfilment }: Pick<Standing, 'status' | 'fulfilment'>): boolean {
  return nextStatuses({ status: status as OrderStatus, fulfilment }, 'customer').includes('canceled');
}

const whyNot: Partial<Record<OrderStatus, string>> = {
  Preparing: 'This order is already being made',
  Packed: 'This order is already being packed',
  Shipped: 'This order is already on its way',
  Undelivered: 'This order has already been on its way',
  Ready: 'This order is already waiting for you',
  Delivered: 'This order has been delivered',
  Collected: 'This order has been collected',
};

/** Why an order cannot be canceled any more and what to do instead; null where there is nothing to say. */
export function whyNotCancelable(order: Pick<Standing, 'status' | 'events'>, now: Date): string | null {
  const why = whyNot[order.status as OrderStatus];
  if (!why) return null;
  const sentence = `${why} and can no longer be canceled.`;
  if (!isOver(order.status)) return `${sentence} ${writeToUs} if something is wrong.`;
  const since = lastEvent(order)?.at;
  const mayComplain = since && now.getTime() < since.getTime() + dayMilliseconds;
  return mayComplain ? `${sentence} ${writeToUs} within 24 hours if something is wrong.` : sentence;
}

/** These words lead to the shop's mail or messaging. */
export const writeToUs = 'Write to us';

const isUnderWay = (status: string) => ['Pending', 'Confirmed', 'Preparing', 'Packed', 'Shipped'].includes(status);
const isOver = (status: string) => status === 'Delivered' || status === 'Collected';
const isUndone = (status: string) => status === 'canceled' || status === 'Refunded';

const lastEvent = ({ status, events }: Pick<Standing, 'status' | 'events'>) =>
  events.findLast((event) => event.status === status);

function dayOf(order: Standing): string | null {
  const at = lastEvent(order)?.at;
  return at ? formatWeekday(at) : null;
}
