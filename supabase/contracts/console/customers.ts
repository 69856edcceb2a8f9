// Functions of schemas/20_console/30_customers.sql and 31_reviews_and_erasure.sql.
import { orderStatuses } from '../../../domain/orders/status.ts';
import { at, defineFunction, moment } from '../contract.ts';
import { z } from '../z.ts';

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

export const listCustomers = defineFunction(
  'admin_list_customers',
  {
    search: z.string().nullish(),
    city: z.string().nullish(),
    tag: z.string().nullish(),
    blocked: z.boolean().nullish(),
    has_ordered: z.boolean().nullish(),
    last_order_from: z.string().nullish(),
    last_order_to: z.string().nullish(),
    sort: z.string().nullish(),
    descending: z.boolean().nullish(),
    after: z.string().nullish(),
    page_size: z.number().nullish(),
  },
  CustomerList,
);

export const listCustomerChoices = defineFunction('admin_list_customer_choices', {}, CustomerChoices);

export const readCustomer = defineFunction('admin_read_customer', { customer_id: z.string() }, Customer.nullable());

export const listCustomerOrders = defineFunction(
  'admin_list_customer_orders',
  { customer_id: z.string(), after: z.string().nullish() },
  CustomerOrders,
);

export const saveCustomerRecord = defineFunction(
  'admin_save_customer_record',
  { customer_id: z.string(), notes: z.string(), tags: z.array(z.string()), seen: moment.nullable() },
  z.object({ seen: moment, notes: z.string(), tags: z.array(z.string()) }),
);

export const blockCustomer = defineFunction(
  'admin_block_customer',
  { customer_id: z.string(), blocked: z.boolean(), reason: z.string(), seen: moment.nullable(), at },
  z.object({ seen: moment, blocked_at: moment.nullable(), blocked_reason: z.string().nullable() }),
);

/** How many ended. */
export const endSessions = defineFunction('admin_end_sessions', { customer_id: z.string() }, z.number());

export const listReviews = defineFunction(
  'admin_list_reviews',
  {
    search: z.string().nullish(),
    shown: z.string().nullish(),
    rating: z.number().nullish(),
    customer_id: z.string().nullish(),
    after: z.string().nullish(),
  },
  ReviewList,
);

export const hideReview = defineFunction(
  'admin_hide_review',
  { review_id: z.number(), hidden: z.boolean(), seen: moment },
  z.object({ id: z.number(), hidden_at: moment.nullable(), seen: moment }),
);

export const previewErasure = defineFunction('admin_preview_erasure', { customer_id: z.string() }, Erasure);

export const eraseCustomer = defineFunction(
  'admin_erase_customer',
  { customer_id: z.string(), confirmation: z.string() },
  z.object({ erasure: z.number(), orders: z.number() }),
);
