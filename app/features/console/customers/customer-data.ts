import { z } from 'zod';
import { orderStatuses } from '#domain/orders/status.ts';

const pageOf = <Row extends z.ZodType>(row: Row) =>
  z.object({ rows: z.array(row), next: z.string().nullable(), count: z.number(), count_is_capped: z.boolean() });

export const CustomerRow = z.object({
  id: z.string(),
  name: z.string(),
  email: z.string(),
  phone: z.string(),
  city: z.string(),
  orders: z.number(),
  value_paise: z.number(),
  last_order_at: z.string().nullable(),
  tags: z.array(z.string()),
  is_blocked: z.boolean(),
});
export type CustomerRow = z.infer<typeof CustomerRow>;
export const CustomerList = pageOf(CustomerRow);

export const CustomerChoices = z.object({ cities: z.array(z.string()), tags: z.array(z.string()) });

export const Customer = CustomerRow.omit({ is_blocked: true }).extend({
  building_no: z.string(),
  street: z.string(),
  state: z.string(),
  zip: z.string(),
  joined_at: z.string().nullable(),
  last_seen_at: z.string().nullable(),
  average_paise: z.number().nullable(),
  canceled: z.number(),
  favourites: z.array(
    z.object({
      product_id: z.number(),
      name: z.string(),
      orders: z.number(),
      grams: z.number().nullable(),
      pieces: z.number().nullable(),
    }),
  ),
  waiting: z.array(z.object({ product_id: z.number(), name: z.string(), since: z.string() })),
  notes: z.string(),
  blocked_at: z.string().nullable(),
  blocked_reason: z.string().nullable(),
  /** Of the record; null while there is none. */
  seen: z.string().nullable(),
  is_administrator: z.boolean(),
});
export type Customer = z.infer<typeof Customer>;

export const CustomerOrder = z.object({
  id: z.string(),
  number: z.number(),
  created_at: z.string(),
  status: z.enum(orderStatuses),
  payment_status: z.string(),
  total_paise: z.number(),
  items: z.string().nullable(),
});
export type CustomerOrder = z.infer<typeof CustomerOrder>;
export const CustomerOrders = pageOf(CustomerOrder);

export const Review = z.object({
  id: z.number(),
  content: z.string(),
  rating: z.number(),
  created_at: z.string(),
  updated_at: z.string().nullable(),
  hidden_at: z.string().nullable(),
  seen: z.string(),
  product_id: z.number(),
  product: z.string(),
  customer_id: z.string(),
  customer: z.string().nullable(),
});
export type Review = z.infer<typeof Review>;
export const ReviewList = pageOf(Review);

export const Erasure = z.object({
  hindrance: z.string().nullable(),
  name: z.string(),
  email: z.string(),
  orders: z.number(),
  phone_orders: z.number(),
  reviews: z.number(),
});
export type Erasure = z.infer<typeof Erasure>;
