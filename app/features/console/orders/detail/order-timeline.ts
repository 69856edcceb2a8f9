import type { Order } from '#contracts/console/order.ts';
import { formatPaise } from '#domain/money.ts';
import { statusTitle } from '#domain/orders/order-titles.ts';

import { eventTitle, whoDid } from '../claims/claim-words.ts';
import { offlineWords, refundReason } from '../order-words.ts';

export type Entry = {
  key: string;
  at: string;
  title: string;
  by: string;
  /** What the customer reads too. */
  publicNote: string;
  detail: string;
  isStatus: boolean;
};

const roles = { customer: 'The customer', administrator: 'An administrator', system: 'Automatic' };
const addressFields: Record<string, string> = {
  delivery_name: 'name',
  delivery_phone: 'phone',
  delivery_building_no: 'building',
  delivery_street: 'street',
  delivery_city: 'city',
  delivery_state: 'state',
  delivery_zip: 'pincode',
};
const trackingFields = ['courier', 'tracking_number', 'tracking_url'];

/** What happened and who did it, newest first: statuses, corrections, claims, and money given back. */
export function timelineOf(
  order: Pick<Order, 'events' | 'changes' | 'refunds' | 'claims' | 'cancel_reason' | 'source'>,
): Entry[] {
  const undone = new Set(order.events.map(({ undoes }) => undoes));
  const moves = order.events.map(
    ({ id, from_status, to_status, role, by, note, at, undoes }): Entry => ({
      key: `event-${id}`,
      at,
      title:
        undoes !== null
          ? `Moved back to ${statusTitle(to_status)}`
          : `${from_status === null ? 'Order placed' : statusTitle(to_status)}${undone.has(id) ? ' (undone)' : ''}`,
      // The shop enters an order when its payment has come; who placed it is the customer.
      by: by ?? roles[from_status === null && order.source !== 'manual' ? 'customer' : role],
      publicNote: note,
      detail: to_status === 'canceled' && order.cancel_reason !== note ? (order.cancel_reason ?? '') : '',
      isStatus: true,
    }),
  );
  const changes = order.changes.flatMap(({ id, at, by, before, after }): Entry[] => {
    const told = changeOf(before ?? {}, after ?? {});
    return told
      ? [{ key: `change-${id}`, at, ...told, by: by ?? roles.administrator, publicNote: '', isStatus: false }]
      : [];
  });
  const refunds = order.refunds
    .filter(({ asked_by }) => asked_by !== null)
    .map(
      (refund): Entry => ({
        key: `refund-${refund.id}`,
        at: refund.created_at,
        title: refund.is_by_hand
          ? `${formatPaise(refund.amount_paise)} refunded offline`
          : `Refund of ${formatPaise(refund.amount_paise)} ${refund.is_retry ? 'retried' : 'started'}`,
        by: refund.asked_by ?? '',
        publicNote: '',
        detail: refundReason(refund),
        isStatus: false,
      }),
    );
  const claims = order.claims.map(
    (event): Entry => ({
      key: `claim-${event.id}`,
      at: event.at,
      title: eventTitle(event),
      by: whoDid(event),
      publicNote: '',
      detail: '',
      isStatus: false,
    }),
  );
  // Sorted by text: every moment comes from the same clock, written the same way. What happened at once keeps its order.
  return [...moves, ...changes, ...claims, ...refunds]
    .sort((one, other) => (one.at < other.at ? -1 : one.at > other.at ? 1 : 0))
    .reverse();
}

/** null for changes that are told otherwise: of the status, of what a refund made of the payment. */
function changeOf(
  before: Record<string, unknown>,
  after: Record<string, unknown>,
): { title: string; detail: string } | null {
  if ('status' in after) return null;
  const fields = Object.keys(after);
  if (after.payment_status === 'paid_offline') {
    const how = offlineWords[after.offline_method as keyof typeof offlineWords];
    return { title: 'Marked as paid', detail: how ?? '' };
  }
  const moved = fields.filter((field) => field in addressFields);
  if (moved.length > 0)
    return {
      title: 'Address edited',
      detail: moved
        .map((field) => `${addressFields[field]}: ${before[field] || 'none'} → ${after[field] || 'none'}`)
        .join('; '),
    };
  if (fields.some((field) => trackingFields.includes(field)))
    return {
      title: 'Tracking edited',
      detail: trackingFields
        .map((field) => after[field])
        .filter(Boolean)
        .join(', '),
    };
  return null;
}
