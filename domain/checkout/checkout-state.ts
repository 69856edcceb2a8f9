import { type Paise, paise } from '../money.ts';
import { type OfferSum, offerSums } from '../offers/applied.ts';
import type { Fulfilment } from '../orders/status.ts';

export type RefundProgress = 'under-way' | 'done' | 'failed';

/** A line of an order that was placed. */
export type PlacedItem = {
  name: string;
  image: string;
  quantity: number;
  /** null for what is sold by the piece. */
  sizeGrams: number | null;
  linePaise: Paise;
};

/** The state of a payment, as `my_checkout` returns it to its customer. */
export type CheckoutState =
  | { state: 'confirming'; totalPaise: Paise }
  | {
      state: 'ordered';
      totalPaise: Paise;
      number: number;
      deliveryBy: string | null;
      /** The day that the customer chose; null: as soon as possible. */
      deliverOn: string | null;
      /** The day that was chosen first, for which the payment came too late. */
      missedDay: string | null;
      fulfilment: Fulfilment;
      isGift: boolean;
      items: PlacedItem[];
      offers: OfferSum[];
      /** Name and address, line by line; empty when it is picked up. */
      address: string[];
    }
  | { state: 'refunded'; amountPaise: Paise; reason: string; progress: RefundProgress }
  /** Expired or replaced by a later attempt. Money may still arrive; it becomes an order or is refunded. */
  | { state: 'lapsed' }
  /** No such payment, or another customer's. */
  | { state: 'unknown' };

export function parseCheckoutState(answer: unknown): CheckoutState {
  const {
    state,
    total_paise,
    number,
    delivery_by,
    deliver_on,
    missed_day,
    fulfilment,
    is_gift,
    items,
    offers,
    address,
    refund,
  } = (answer ?? {}) as Record<string, unknown>;
  if (state === 'confirming') return { state, totalPaise: paise(Number(total_paise)) };
  if (state === 'ordered')
    return {
      state,
      totalPaise: paise(Number(total_paise)),
      number: Number(number),
      deliveryBy: typeof delivery_by === 'string' ? delivery_by : null,
      deliverOn: typeof deliver_on === 'string' ? deliver_on : null,
      missedDay: typeof missed_day === 'string' ? missed_day : null,
      fulfilment: fulfilment === 'pickup' ? 'pickup' : 'delivery',
      isGift: is_gift === true,
      items: Array.isArray(items) ? items.map(itemFrom) : [],
      offers: offerSums(offers),
      address: Array.isArray(address) ? address.map(String).filter(Boolean) : [],
    };
  if (state === 'refunded') {
    const { amount_paise, reason, status } = refund as Record<string, unknown>;
    return { state, amountPaise: paise(Number(amount_paise)), reason: String(reason), progress: progressOf(status) };
  }
  return state === 'lapsed' ? { state } : { state: 'unknown' };
}

function itemFrom(row: Record<string, unknown>): PlacedItem {
  return {
    name: String(row.name),
    image: String(row.image),
    quantity: Number(row.quantity),
    sizeGrams: typeof row.size === 'number' ? row.size : null,
    linePaise: paise(Number(row.line_paise)),
  };
}

function progressOf(status: unknown): RefundProgress {
  if (status === 'processed') return 'done';
  return status === 'failed' ? 'failed' : 'under-way';
}

const soon = 20_000;
const minute = 60_000;
export const maxConfirmingMs = 2 * minute;
const maxExpiredMs = 10 * minute;

/**
 * Milliseconds until the next poll of a payment that has been in this state for `waitedMs`; null when polling ends. Usually it
 * takes seconds, so it polls often at first.
 */
export function nextPollDelay(state: CheckoutState['state'], waitedMs: number): number | null {
  if (state === 'confirming') {
    if (waitedMs < soon) return 2_000;
    return waitedMs < maxConfirmingMs ? 5_000 : 15_000;
  }
  if (state !== 'lapsed' || waitedMs >= maxExpiredMs) return null;
  return waitedMs < minute ? 5_000 : 20_000;
}
