import { type Fulfilment, nextStatuses, type OrderStatus } from '#domain/orders/status.ts';
import { formatWeekday } from '#domain/time.ts';

export type OrderEvent = { status: string; by: string; note: string; at: Date | null };

/** How far an order is, as its customer sees it. */
export type OrderProgress = {
  status: string;
  paymentStatus: string;
  fulfilment: Fulfilment;
  /** The beginning, in India, of the day it should be there. */
  deliveryBy: Date | null;
  /** Chosen by the customer; otherwise it may come earlier. */
  isChosenDay: boolean;
  /** The day that was chosen first, for which the payment came too late. */
  missedDay: Date | null;
  courier: string | null;
  trackingNumber: string | null;
  trackingUrl: string | null;
  cancelReason: string | null;
  /** Oldest first. */
  events: OrderEvent[];
};

type Standing = Omit<OrderProgress, 'courier' | 'trackingNumber' | 'trackingUrl' | 'cancelReason'>;

const dayMilliseconds = 24 * 60 * 60 * 1000;

const places: Record<OrderStatus, (fulfilment: Fulfilment) => string> = {
  Pending: () => 'Order received',
  Confirmed: () => 'Confirmed, being made next',
  Preparing: () => 'Being made in our kitchen',
  Packed: (fulfilment) => (fulfilment === 'pickup' ? 'Packed, ready for you soon' : 'Packed, shipping soon'),
  Shipped: () => 'On its way',
  Delivered: () => 'Delivered',
  Undelivered: () => 'Couldn’t be delivered; we’re looking into it',
  Ready: () => 'Ready to collect',
  Collected: () => 'Collected',
  canceled: () => 'Cancelled',
  Refunded: () => 'Refunded',
};

const moneyBack: Record<string, string> = {
  refund_pending: 'your refund is on its way',
  partially_refunded: 'part of your money has been refunded',
  refunded: 'your refund has been sent',
  refund_failed: 'your refund is delayed',
};

const moneyOwed: Record<string, string> = {
  ...moneyBack,
  unpaid: 'nothing was paid',
  paid: 'we’re refunding your money',
  paid_offline: 'we’ll refund what you paid',
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
export function arrivalOf(order: Standing, now: Date): string | null {
  const { status, fulfilment, deliveryBy, isChosenDay, missedDay } = order;
  if (fulfilment !== 'delivery' || !deliveryBy || !isUnderWay(status)) return null;
  const day = formatWeekday(deliveryBy);
  const missed = missedDay ? `: your payment came too late for ${formatWeekday(missedDay)}` : '';
  const isLate = now.getTime() >= deliveryBy.getTime() + dayMilliseconds;
  return isLate
    ? `It was due by ${day}; we are sorry for the delay`
    : `Arrives ${isChosenDay ? 'on' : 'by'} ${day}${missed}`;
}

export function isCancelable({ status, fulfilment }: Pick<Standing, 'status' | 'fulfilment'>): boolean {
  return nextStatuses({ status: status as OrderStatus, fulfilment }, 'customer').includes('canceled');
}

const whyNot: Partial<Record<OrderStatus, string>> = {
  Preparing: 'This order is already being made',
  Packed: 'This order is already packed',
  Shipped: 'This order is already on its way',
  Undelivered: 'This order has already been shipped',
  Ready: 'This order is ready for you',
};

/** Why an order can no longer be cancelled; null where there is nothing to say. */
export function whyNotCancelable(order: Pick<Standing, 'status'>): string | null {
  const why = whyNot[order.status as OrderStatus];
  return why ? `${why} and can’t be cancelled. ${writeToUs} if something is wrong.` : null;
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

/** Whether a problem with it can be reported, or may have been: it has left us. The server decides until when. */
export const mayBeClaimed = ({ status }: Pick<Standing, 'status'>): boolean =>
  ['Shipped', 'Undelivered', 'Delivered', 'Collected', 'Refunded'].includes(status);
