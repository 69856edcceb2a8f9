import type { OrderProgress } from '#app/parts/order-progress/order-standing.ts';
import type { Tone } from '#app/ui/badge.tsx';
import type { Database } from '#database-types';
import type { BoxLine } from '#domain/boxes/box.ts';
import type { Size } from '#domain/cart/cart.ts';
import { linePaise } from '#domain/cart/line-price.ts';
import type { Gift } from '#domain/gifts/gift.ts';
import { type Paise, paiseFromRupees } from '#domain/money.ts';
import { type OfferSum, offerSums } from '#domain/offers/applied.ts';
import { withoutUndone } from '#domain/orders/undo.ts';
import { instantFrom } from '#domain/time.ts';
import type { Refund } from './refunds.ts';

/** One line of an order; a view's columns may all be null as far as types know. */
export type OrderRow = Omit<
  Database['public']['Views']['order_details_view']['Row'],
  'user_id' | 'discount' | 'item_discount'
>;
export type EventRow = Pick<
  Database['public']['Tables']['order_events']['Row'],
  'id' | 'order_id' | 'to_status' | 'actor_role' | 'public_note' | 'created_at' | 'undoes'
>;

export type OrderItem = {
  /** null when the product is no longer sold. */
  productId: number | null;
  name: string;
  image: string;
  /** null for what is sold by the piece. */
  sizeGrams: number | null;
  quantity: number;
  linePaise: Paise;
  /** What it was filled with, to be ordered again; null: no box. */
  box: Omit<BoxLine, 'quantity'> | null;
};

/** Its invoice and credit notes, oldest first. */
export type OrderDocument = { kind: 'invoice' | 'credit note'; id: string; number: string };

export type PastOrder = OrderProgress & {
  id: string;
  number: number | null;
  shortId: string;
  placedAt: Date | null;
  subtotalPaise: Paise;
  taxPaise: Paise;
  shippingPaise: Paise;
  /** The GST in it. */
  shippingTaxPaise: Paise;
  offers: OfferSum[];
  totalPaise: Paise;
  items: OrderItem[];
  documents: OrderDocument[];
  /** null: not a gift. */
  gift: PastGift | null;
  /** It stands for all recipients of a group; null: it is an order by itself. */
  group: PastGroup | null;
};

export type PastGroup = {
  id: string;
  recipients: number;
  totalPaise: Paise;
  /** How many orders have each status. */
  statuses: [status: string, orders: number][];
};

export type PastGift = Gift & { recipient: string; city: string };

/** The lines grouped by order, newest order first. `sold` says which products can still be looked at. */
export function pastOrdersFrom(
  rows: readonly OrderRow[],
  events: readonly EventRow[],
  sold: ReadonlySet<number>,
): PastOrder[] {
  const orders = new Map<string, PastOrder>();
  for (const row of rows) {
    if (row.order_id === null) continue;
    const order = orders.get(row.order_id) ?? orderFrom(row, row.order_id);
    orders.set(row.order_id, order);
    order.items.push(itemFrom(row, sold));
  }
  for (const event of withoutUndone(events))
    orders.get(event.order_id)?.events.push({
      status: event.to_status,
      by: event.actor_role,
      note: event.public_note.trim(),
      at: instantFrom(event.created_at),
    });
  return [...orders.values()].sort((a, b) => timeOf(b.placedAt) - timeOf(a.placedAt));
}

function orderFrom(row: OrderRow, order_id: string): PastOrder {
  return {
    id: order_id,
    number: row.number,
    shortId: order_id.slice(0, 8),
    placedAt: instantFrom(row.created_at ?? ''),
    subtotalPaise: paiseFromRupees(row.sub_total ?? 0),
    taxPaise: paiseFromRupees(row.tax ?? 0),
    shippingPaise: paiseFromRupees(row.shipping_charge ?? 0),
    shippingTaxPaise: paiseFromRupees(row.shipping_tax ?? 0),
    offers: offerSums(row.offers),
    totalPaise: paiseFromRupees(row.total_amount ?? 0),
    status: row.status ?? '',
    paymentStatus: row.payment_status ?? '',
    fulfilment: row.fulfilment === 'pickup' ? 'pickup' : 'delivery',
    deliveryBy: startOf(row.delivery_by),
    isChosenDay: row.deliver_on !== null,
    missedDay: startOf(row.missed_day),
    courier: row.courier,
    trackingNumber: row.tracking_number,
    trackingUrl: row.tracking_url,
    cancelReason: row.cancel_reason,
    items: [],
    events: [],
    documents: [],
    gift: null,
    group: row.group_id
      ? { id: row.group_id, recipients: 1, totalPaise: paiseFromRupees(row.total_amount ?? 0), statuses: [] }
      : null,
  };
}

const startOf = (day: string | null): Date | null => (day ? instantFrom(`${day}T00:00:00+05:30`) : null);

function itemFrom(row: OrderRow, sold: ReadonlySet<number>): OrderItem {
  const size = row.size ?? 500;
  const quantity = row.quantity ?? 0;
  return {
    productId: row.product_id !== null && sold.has(row.product_id) ? row.product_id : null,
    name: row.product_name ?? '',
    image: row.product_image ?? '',
    sizeGrams: row.has_size ? size : null,
    quantity,
    linePaise: linePaise(paiseFromRupees(row.unit_price ?? 0), { size: size as Size, quantity }),
    box: boxFrom(row),
  };
}

function boxFrom({ box_id, contents }: OrderRow): OrderItem['box'] {
  const products = (contents as { products?: { product_id: number; pieces: number }[] } | null)?.products;
  if (box_id === null || !Array.isArray(products)) return null;
  return { boxId: box_id, contents: products.map(({ product_id, pieces }) => ({ productId: product_id, pieces })) };
}

/** The badge's class, as the owner named it. */
export function statusClass(status: string): string {
  return `status-${status.toLowerCase()}`;
}

const tones: Record<string, Tone> = {
  pending: 'warn',
  confirmed: 'waiting',
  preparing: 'waiting',
  packed: 'waiting',
  ready: 'waiting',
  shipped: 'busy',
  delivered: 'good',
  collected: 'good',
  undelivered: 'bad',
};

export function statusTone(status: string): Tone {
  return tones[status.toLowerCase()] ?? 'calm';
}

/**
 * Of lines read newest order first, those of whole orders: the limit may have cut the last one in two. What is left off
 * is read with the next page.
 */
export function wholeOrders(
  rows: readonly OrderRow[],
  { mostRows, mostOrders }: { mostRows: number; mostOrders: number },
): { rows: OrderRow[]; hasOlder: boolean } {
  const ids = [...new Set(rows.map(({ order_id }) => order_id))];
  const whole = new Set((rows.length < mostRows ? ids : ids.slice(0, -1)).slice(0, mostOrders));
  return { rows: rows.filter(({ order_id }) => whole.has(order_id)), hasOlder: whole.size < ids.length };
}

export type History = {
  orders: PastOrder[];
  refunds: Refund[];
  /** There are orders before these. */
  hasOlder: boolean;
  /** Of all orders, also those not read yet. */
  count: number;
  /** The entry of the order that a link leads to, where that is one recipient of a group. */
  linkedEntry: string | null;
};

export type Entry = { kind: 'order'; order: PastOrder; refunds: Refund[] } | { kind: 'payment'; refund: Refund };

/** Orders, and payments that never became one, newest first. */
export function entriesOf({ orders, refunds, hasOlder }: History): Entry[] {
  // Before the oldest order read so far there may be others: a payment from then would stand in the wrong place.
  const since = hasOlder ? Math.min(...orders.map(({ placedAt }) => timeOf(placedAt))) : Number.NEGATIVE_INFINITY;
  const entries: { at: number; entry: Entry }[] = [
    ...orders.map((order) => ({
      at: timeOf(order.placedAt),
      entry: { kind: 'order' as const, order, refunds: refunds.filter(({ orderId }) => orderId === order.id) },
    })),
    ...refunds
      .filter(({ orderId, askedAt }) => orderId === null && timeOf(askedAt) >= since)
      .map((refund) => ({ at: timeOf(refund.askedAt), entry: { kind: 'payment' as const, refund } })),
  ];
  return entries.sort((a, b) => b.at - a.at).map(({ entry }) => entry);
}

/** What a screen reader should say after a re-read. */
export function newsBetween(before: History, after: History): string[] {
  const known = new Map(before.orders.map((order) => [order.id, order]));
  const newest = Math.max(0, ...before.orders.map(({ placedAt }) => timeOf(placedAt)));
  return after.orders.flatMap((order) => {
    const old = known.get(order.id);
    if (!old) return timeOf(order.placedAt) > newest ? [`Order ${order.shortId} is now in your order history`] : [];
    if (old.status !== order.status)
      return [`Order ${order.shortId} is now ${order.status === 'canceled' ? 'cancelled' : order.status}`];
    if (old.paymentStatus !== order.paymentStatus && order.paymentStatus === 'refunded')
      return [`Order ${order.shortId} has been refunded`];
    return [];
  });
}

const timeOf = (instant: Date | null): number => instant?.getTime() ?? 0;
