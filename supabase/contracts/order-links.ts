// Functions of schemas/07_orders/08_links.sql: links with which an order is followed without a login.
import { day, defineFunction, fulfilment, moment } from './contract.ts';
import { z } from './z.ts';

/** `days`: how long it works. `revoked_at`: links made before no longer work; null: none was revoked. */
export const OrderLink = z.object({ token: z.string(), days: z.number(), revoked_at: moment.nullable() });

/** null: the order is none of the caller's. */
export const myOrderLink = defineFunction('my_order_link', { order_id: z.string() }, OrderLink.nullable());
export const revokeMyOrderLinks = defineFunction(
  'revoke_my_order_links',
  { order_id: z.string() },
  OrderLink.nullable(),
);

/** What a link shows of its order: nothing with which a person could be found. */
export const FollowedOrder = z.object({
  number: z.number(),
  placed_at: moment,
  status: z.string(),
  payment_status: z.string(),
  fulfilment,
  delivery_by: day.nullable(),
  deliver_on: day.nullable(),
  missed_day: day.nullable(),
  courier: z.string().nullable(),
  tracking_number: z.string().nullable(),
  tracking_url: z.string().nullable(),
  sub_total_paise: z.number(),
  tax_paise: z.number(),
  shipping_paise: z.number(),
  shipping_tax_paise: z.number(),
  total_paise: z.number(),
  offers: z.array(z.looseObject({})),
  is_gift: z.boolean(),
  to: z.object({ name: z.string(), city: z.string(), phone_end: z.string() }),
  events: z.array(z.object({ status: z.string(), by: z.string(), at: moment })),
  items: z.array(
    z.object({
      /** null: it can no longer be looked at in the shop. */
      product_id: z.number().nullable(),
      name: z.string(),
      image: z.string(),
      quantity: z.number(),
      size: z.number().nullable(),
      line_paise: z.number(),
    }),
  ),
});

/** null for every link that is not good now, whatever is wrong with it. */
export const orderByLink = defineFunction('order_by_link', { token: z.string() }, FollowedOrder.nullable());
