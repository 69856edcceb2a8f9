import type { OrderStatus } from '#domain/orders/status.ts';
import { arrivalOf, type OrderEvent, type OrderProgress } from './order-standing.ts';

export type Tracking = { courier: string | null; number: string | null; url: string | null };

export type Step = {
  title: string;
  /** null for what is still to come. */
  at: Date | null;
  state: 'done' | 'current' | 'to-come';
  note: string;
  tracking: Tracking | null;
};

const titles: Record<OrderStatus, string> = {
  Pending: 'Order placed',
  Confirmed: 'Confirmed',
  Preparing: 'Being made',
  Packed: 'Packed',
  Shipped: 'On its way',
  Delivered: 'Delivered',
  Undelivered: 'Couldn’t be delivered',
  Ready: 'Ready to collect',
  Collected: 'Collected',
  canceled: 'Cancelled',
  Refunded: 'Refunded',
};

/** What happened, oldest first, and when it should arrive. The latest event is where the order stands. */
export function timelineOf(order: OrderProgress, now: Date): Step[] {
  const shipped = order.events.findLastIndex(({ status }) => status === 'Shipped');
  const steps = order.events.map((event, index): Step => {
    const tracking = index === shipped ? trackingOf(order) : null;
    return {
      title: titleOf(event),
      at: event.at,
      state: index === order.events.length - 1 ? 'current' : 'done',
      note: noteOf(event, order, tracking),
      tracking,
    };
  });
  const arrival = arrivalOf(order, now);
  return arrival ? [...steps, { title: arrival, at: null, state: 'to-come', note: '', tracking: null }] : steps;
}

function titleOf({ status, by }: OrderEvent): string {
  if (status === 'canceled' && by === 'customer') return 'Cancelled by you';
  if (status === 'canceled' && by === 'administrator') return 'Cancelled by us';
  return titles[status as OrderStatus] ?? status;
}

function noteOf({ status, by, note }: OrderEvent, order: OrderProgress, tracking: Tracking | null): string {
  if (note === '' && status === 'canceled' && by !== 'customer') return order.cancelReason?.trim() ?? '';
  // The same number twice, once as a link, is once too often.
  return tracking?.number && note.includes(tracking.number) ? '' : note;
}

function trackingOf({ courier, trackingNumber, trackingUrl }: OrderProgress): Tracking | null {
  if (!courier && !trackingNumber && !trackingUrl) return null;
  return { courier: courier || null, number: trackingNumber || null, url: trackingUrl || null };
}
