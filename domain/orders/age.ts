import { calendarDay } from '../time.ts';
import type { OrderStatus } from './status.ts';

const minuteMs = 60_000;
const hourMs = 60 * minuteMs;
const dayMs = 24 * hourMs;

// How many hours an order may be in a status before somebody should look.
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

/** Whether an order waits too long where it is; null when it waits for nothing. Past its promised day it always does. */
export function waitLevel(
  order: { status: OrderStatus; since: Date; deliveryBy: string | null },
  now: Date,
): WaitLevel | null {
  const hours = overdueAfterHours[order.status];
  if (hours === undefined) return null;
  if (order.deliveryBy !== null && order.deliveryBy < calendarDay(now)) return 'too-long';
  const waited = now.getTime() - order.since.getTime();
  if (waited < hours * hourMs) return 'fine';
  return waited < 2 * hours * hourMs ? 'long' : 'too-long';
}

/** How long ago, in one figure: now, 5 min, 3 h, 12 d. */
export function formatAge(since: Date, now: Date): string {
  const ms = now.getTime() - since.getTime();
  if (ms < minuteMs) return 'now';
  if (ms < hourMs) return `${Math.floor(ms / minuteMs)} min`;
  if (ms < 2 * dayMs) return `${Math.floor(ms / hourMs)} h`;
  return `${Math.floor(ms / dayMs)} d`;
}
