import { calendarDay } from '../time.ts';
import { isBeforePacking, type OrderStatus } from './status.ts';

const minuteMs = 60_000;
const hourMs = 60 * minuteMs;
const dayMs = 24 * hourMs;

// Hours after which an order in a status counts as waiting long.
const overdueAfterHours: Partial<Record<OrderStatus, number>> = {
  Pending: 2,
  Confirmed: 12,
  Preparing: 12,
  Packed: 24,
  Ready: 48,
  Shipped: 96,
  Undelivered: 24,
};

export type WaitLevel = 'fine' | 'long' | 'too-long';

/**
 * How long an order has waited in its status; null for final statuses. Past its promised day it is always too long. An order for
 * a chosen day waits from its packing day on.
 */
export function waitLevel(
  order: { status: OrderStatus; since: Date; deliveryBy: string | null; packOn?: string | null },
  now: Date,
): WaitLevel | null {
  const hours = overdueAfterHours[order.status];
  if (hours === undefined) return null;
  if (order.deliveryBy !== null && order.deliveryBy < calendarDay(now)) return 'too-long';
  const isForLater = order.packOn && isBeforePacking(order.status);
  const packingDay = isForLater ? Date.parse(`${order.packOn}T00:00+05:30`) : 0;
  const waited = now.getTime() - Math.max(order.since.getTime(), packingDay);
  if (waited < hours * hourMs) return 'fine';
  return waited < 2 * hours * hourMs ? 'long' : 'too-long';
}

/** The age as one figure: now, 5 min, 3 h, 12 d. */
export function formatAge(since: Date, now: Date): string {
  const ms = now.getTime() - since.getTime();
  if (ms < minuteMs) return 'now';
  if (ms < hourMs) return `${Math.floor(ms / minuteMs)} min`;
  if (ms < 2 * dayMs) return `${Math.floor(ms / hourMs)} h`;
  return `${Math.floor(ms / dayMs)} d`;
}
