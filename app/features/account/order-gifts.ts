import { giftMotifs } from '#domain/gifts/gift.ts';
import type { PastOrder } from './order-history.ts';

/** Puts gifts, as the backend lists them, with their orders. What makes no sense is left out. */
export function withGifts(orders: PastOrder[], listed: unknown): PastOrder[] {
  const byOrder = new Map(orders.map((order) => [order.id, order]));
  for (const row of Array.isArray(listed) ? listed : []) {
    const { order_id, motif, note, sender_name, recipient_email, recipient, city } = row as Record<string, unknown>;
    const order = byOrder.get(String(order_id));
    const known = giftMotifs.find((one) => one === motif);
    if (!order || !known) continue;
    order.gift = {
      motif: known,
      note: text(note),
      senderName: text(sender_name),
      recipientEmail: text(recipient_email),
      recipient: text(recipient),
      city: text(city),
    };
  }
  return orders;
}

const text = (value: unknown): string => (typeof value === 'string' ? value : '');
