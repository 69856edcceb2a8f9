// Functions of schemas/20_console/13_work_on_orders.sql: moving, refunding and correcting one order. `seen` is its updated_at.
import { paymentStatuses } from '../../../domain/orders/payment-status.ts';
import { orderStatuses } from '../../../domain/orders/status.ts';
import { Spoiled } from '../checkout.ts';
import { day, defineFunction, moment, nothing } from '../contract.ts';
import { OrderLink } from '../order-links.ts';
import { z } from '../z.ts';
import { Delivery } from './order.ts';

const status = z.enum(orderStatuses);
const payment_status = z.enum(paymentStatuses);
/** To be sent as `seen` with the next change. */
const updated_at = moment;

export const moveOrder = defineFunction(
  'admin_move_order',
  {
    order_id: z.string(),
    to_status: z.string(),
    seen: moment,
    public_note: z.string().nullish(),
    courier: z.string().nullish(),
    tracking_number: z.string().nullish(),
    tracking_url: z.string().nullish(),
  },
  z.object({ status, updated_at }),
);

export const cancelOrder = defineFunction(
  'admin_cancel_order',
  { order_id: z.string(), reason: z.string(), goods: z.string(), seen: moment },
  z.object({ status, updated_at }),
);

export const changeTracking = defineFunction(
  'admin_change_tracking',
  { order_id: z.string(), courier: z.string(), tracking_number: z.string(), tracking_url: z.string(), seen: moment },
  z.object({ updated_at }),
);

export const changeAddress = defineFunction(
  'admin_change_address',
  { order_id: z.string(), delivery: Delivery, seen: moment },
  z.object({ updated_at, delivery_by: day.nullable(), spoiled: z.array(Spoiled) }),
);

export const markOrderPaid = defineFunction(
  'admin_mark_order_paid',
  { order_id: z.string(), method: z.string(), seen: moment },
  z.object({ payment_status, updated_at }),
);

export const refundOrder = defineFunction(
  'admin_refund_order',
  {
    order_id: z.string(),
    amount_paise: z.number(),
    reason: z.string(),
    seen: moment,
    order_item_id: z.number().nullish(),
    /** How and when it was paid back by hand, where it was paid offline. */
    method: z.string().nullish(),
    reference: z.string().optional(),
    paid_on: day.nullish(),
  },
  z.object({ refund_id: z.string(), status, payment_status, updated_at }),
);

export const addOrderNote = defineFunction(
  'admin_add_order_note',
  { order_id: z.string(), note: z.string(), entry_id: z.string().nullish() },
  z.object({ id: z.number() }),
);

export const resendMail = defineFunction(
  'admin_resend_mail',
  { order_id: z.string(), mail_key: z.string() },
  z.object({ template: z.string() }),
);

/** A link to send to the customer: they follow the order without a login. */
export const makeOrderLink = defineFunction('admin_make_order_link', { order_id: z.string() }, OrderLink);

export const revokeOrderLinks = defineFunction('admin_revoke_order_links', { order_id: z.string() }, nothing);
