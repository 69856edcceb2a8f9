import { type Paise, paise } from '../money.ts';
import type { Fulfilment } from '../orders/status.ts';

export type RefundProgress = 'under-way' | 'done' | 'failed';

/** Where a payment stands, as `my_checkout` tells the customer who made it. */
export type CheckoutState =
  | { state: 'confirming'; totalPaise: Paise }
  | { state: 'ordered'; totalPaise: Paise; number: number; deliveryBy: string | null; fulfilment: Fulfilment }
  | { state: 'refunded'; amountPaise: Paise; reason: string; progress: RefundProgress }
  /** Nothing was paid in time, or a later attempt took its place. Money may still come, and is an order or goes back. */
  | { state: 'lapsed' }
  /** No such payment, or somebody else's. */
  | { state: 'unknown' };

export function checkoutStateFrom(answer: unknown): CheckoutState {
  const { state, total_paise, number, delivery_by, fulfilment, refund } = (answer ?? {}) as Record<string, unknown>;
  if (state === 'confirming') return { state, totalPaise: paise(Number(total_paise)) };
  if (state === 'ordered')
    return {
      state,
      totalPaise: paise(Number(total_paise)),
      number: Number(number),
      deliveryBy: typeof delivery_by === 'string' ? delivery_by : null,
      fulfilment: fulfilment === 'pickup' ? 'pickup' : 'delivery',
    };
  if (state === 'refunded') {
    const { amount_paise, reason, status } = refund as Record<string, unknown>;
    return { state, amountPaise: paise(Number(amount_paise)), reason: String(reason), progress: progressOf(status) };
  }
  return state === 'lapsed' ? { state } : { state: 'unknown' };
}

function progressOf(status: unknown): RefundProgress {
  if (status === 'processed') return 'done';
  return status === 'failed' ? 'failed' : 'under-way';
}

const soon = 20_000;
const minute = 60_000;
export const longestConfirming = 2 * minute;
const longestLapsed = 10 * minute;

/**
 * When to ask again about a payment that has been in this state for so long; null when its end is known or no longer
 * waited for. Usually it takes seconds, so ask often at first; who waits long is not hurried by asking.
 */
export function nextLook(state: CheckoutState['state'], waitedMs: number): number | null {
  if (state === 'confirming') {
    if (waitedMs < soon) return 2_000;
    return waitedMs < longestConfirming ? 5_000 : 15_000;
  }
  if (state !== 'lapsed' || waitedMs >= longestLapsed) return null;
  return waitedMs < minute ? 5_000 : 20_000;
}
