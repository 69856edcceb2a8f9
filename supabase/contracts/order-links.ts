// Functions of schemas/07_orders/08_links.sql: links with which an order is followed without a login.
import { defineFunction, moment } from './contract.ts';
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
