// Functions of schemas/20_console/16_group_orders.sql: a group order with its recipients, and sending a parcel again.
import { giftMotifs } from '../../../domain/gifts/gift.ts';
import { orderStatuses } from '../../../domain/orders/status.ts';
import { at, day, defineFunction, moment } from '../contract.ts';
import { z } from '../z.ts';
import { Delivery, Order } from './order.ts';
import { OrderRow } from './orders.ts';

const Member = OrderRow.extend({
  /** Counted from 1. */
  place: z.number(),
  courier: z.string().nullable(),
  tracking_number: z.string().nullable(),
  tracking_url: z.string().nullable(),
  note: z.string(),
  recipient_email: z.string().nullable(),
  delivery: Delivery,
});
/** A recipient of a group, as an order of the list with where it goes. */
export type GroupMember = z.infer<typeof Member>;

const Group = z.object({
  id: z.string(),
  placed_at: moment,
  recipients: z.number(),
  total_paise: z.number(),
  customer: Order.shape.customer,
  card: z.object({ motif: z.enum(giftMotifs), sender_name: z.string() }).nullable(),
  orders: z.array(Member),
});
export type Group = z.infer<typeof Group>;

export const readGroup = defineFunction('admin_read_group', { group_id: z.string(), at }, Group.nullable());

export const sendAgain = defineFunction(
  'admin_send_again',
  {
    order_id: z.string(),
    delivery: Delivery,
    seen: moment,
    courier: z.string().nullish(),
    tracking_number: z.string().nullish(),
    tracking_url: z.string().nullish(),
  },
  z.object({ status: z.enum(orderStatuses), updated_at: moment, delivery_by: day.nullable() }),
);
