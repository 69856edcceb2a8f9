// Functions of schemas/20_console/11_list_orders.sql: the list of orders, and moving several at once.
import { paymentStatuses } from '../../../domain/orders/payment-status.ts';
import { orderStatuses } from '../../../domain/orders/status.ts';
import { at, Cursor, defineFunction, Filter, moment } from '../contract.ts';
import { z } from '../z.ts';

const Group = z.object({ id: z.string(), place: z.number(), recipients: z.number() });

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
  source: z.enum(['cart', 'direct', 'group', 'manual']),
  delivery_by: z.string().nullable(),
  /** The day that the customer chose, and the day on which it is packed for it; null: as soon as possible. */
  deliver_on: z.string().nullable(),
  pack_on: z.string().nullable(),
  /** The day that was chosen first, for which the payment came too late. */
  missed_day: z.string().nullable(),
  is_due: z.boolean(),
  is_gift: z.boolean(),
  /** The group order of which it is one, and its place in it; null: it stands alone. */
  group: Group.nullable(),
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

export const Undone = z.object({
  undone: z.array(z.string()),
  refused: z.array(z.object({ id: z.string(), reason: z.string() })),
});

/** Orders, and their `updated_at` as it was seen. */
const Moves = z.array(z.strictObject({ id: z.string(), seen: moment }));

export const listOrders = defineFunction(
  'admin_list_orders',
  { filter: Filter.nullish(), sort: z.string().nullish(), after: Cursor, at },
  OrderPage,
);

export const moveOrders = defineFunction('admin_move_orders', { moves: Moves, to_status: z.string() }, MoveAnswer);

export const undoMoves = defineFunction('admin_undo_moves', { moves: Moves }, Undone);
