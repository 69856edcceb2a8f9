import { z } from 'zod';
import { paymentStatuses } from '#app/features/console/order-words.ts';
import { orderStatuses } from '#domain/orders/status.ts';

export const OrderRow = z.object({
  id: z.string(),
  number: z.number(),
  placed_at: z.string(),
  name: z.string(),
  phone: z.string(),
  pincode: z.string(),
  city: z.string(),
  items: z.string().nullable(),
  total_paise: z.number(),
  payment_status: z.enum(paymentStatuses),
  status: z.enum(orderStatuses),
  status_since: z.string(),
  fulfilment: z.enum(['delivery', 'pickup']),
  source: z.enum(['cart', 'direct', 'manual']),
  delivery_by: z.string().nullable(),
  is_due: z.boolean(),
  /** By when money has to go back; null where none is due. */
  refund_due_on: z.string().nullable(),
  /** Sent back with a move: what was looked at. */
  updated_at: z.string(),
});
export type OrderRow = z.infer<typeof OrderRow>;

export const OrderPage = z.object({
  rows: z.array(OrderRow),
  next: z.record(z.string(), z.unknown()).nullable(),
  count: z.number(),
  count_is_capped: z.boolean(),
});
export type OrderPage = z.infer<typeof OrderPage>;

export const MoveAnswer = z.object({
  moved: z.array(z.string()),
  refused: z.array(z.object({ id: z.string(), reason: z.string() })),
});
export type MoveAnswer = z.infer<typeof MoveAnswer>;
