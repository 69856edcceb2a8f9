// Functions of schemas/20_console/12_read_order.sql: one order with everything that happened to it, and printing.
import { foodMarks } from '../../../domain/catalog/food-mark.ts';
import { giftMotifs } from '../../../domain/gifts/gift.ts';
import { paymentStatuses } from '../../../domain/orders/payment-status.ts';
import { orderStatuses } from '../../../domain/orders/status.ts';
import { AppliedOffer } from '../checkout.ts';
import { defineFunction } from '../contract.ts';
import { z } from '../z.ts';
import { ClaimEvent } from './claims.ts';

const paise = z.number().int();

export const offlineMethods = ['cash', 'upi', 'card', 'bank'] as const;

export const Delivery = z.object({
  name: z.string(),
  phone: z.string(),
  building_no: z.string(),
  street: z.string(),
  city: z.string(),
  state: z.string(),
  zip: z.string(),
});
export type Delivery = z.infer<typeof Delivery>;

const Line = z.object({
  id: z.number(),
  /** null: a box that the customer filled, whose name says what is in it. */
  product_id: z.number().nullable(),
  name: z.string(),
  image: z.string(),
  quantity: z.number(),
  size: z.number(),
  has_size: z.boolean(),
  unit_price_paise: paise,
  gst_percent: z.coerce.number(),
  hsn: z.string(),
  line_paise: paise,
  discount_paise: paise,
  grams: z.number(),
  /** null: the unit cost was unknown when it was placed. */
  cost_paise: paise.nullable(),
  food_mark: z.enum(foodMarks).nullable(),
  allergens: z.string(),
  shelf_life_days: z.number().nullable(),
});
export type OrderLine = z.infer<typeof Line>;

const Gift = z.object({
  note: z.string(),
  motif: z.enum(giftMotifs),
  sender_name: z.string(),
  recipient_email: z.string().nullable(),
});
export type OrderGift = z.infer<typeof Gift>;

/** What the page and the printed slip both say. */
const Head = z.object({
  id: z.string(),
  number: z.number(),
  status: z.enum(orderStatuses),
  payment_status: z.enum(paymentStatuses),
  source: z.enum(['cart', 'direct', 'group', 'manual']),
  fulfilment: z.enum(['delivery', 'pickup']),
  placed_at: z.string(),
  /** Sent back with every change: what was seen. */
  updated_at: z.string(),
  delivery_by: z.string().nullable(),
  /** The day that the customer chose, and the day on which it is packed for it; null: as soon as possible. */
  deliver_on: z.string().nullable(),
  pack_on: z.string().nullable(),
  /** The day that was chosen first, for which the payment came too late. */
  missed_day: z.string().nullable(),
  sub_total_paise: paise,
  /** What offers took off the goods before tax. */
  discount_paise: paise,
  offers: z.array(AppliedOffer),
  tax_paise: paise,
  shipping_paise: paise,
  shipping_tax_paise: paise,
  total_paise: paise,
  delivery: Delivery,
  courier: z.string().nullable(),
  tracking_number: z.string().nullable(),
  tracking_url: z.string().nullable(),
  cancel_reason: z.string().nullable(),
  canceled_goods: z.enum(['stock', 'wastage']),
  offline_method: z.enum(offlineMethods).nullable(),
  /** null: not a gift. */
  gift: Gift.nullable(),
  /** The group order of which it is one; null: it stands alone. */
  group: z.object({ id: z.string(), place: z.number(), recipients: z.number() }).nullable(),
  lines: z.array(Line),
});

const Refund = z.object({
  id: z.string(),
  amount_paise: paise,
  reason: z.string(),
  note: z.string(),
  status: z.enum(['queued', 'pending', 'processed', 'failed']),
  is_by_hand: z.boolean(),
  is_retry: z.boolean(),
  provider_refund_id: z.string().nullable(),
  asked_by: z.string().nullable(),
  created_at: z.string(),
  processed_at: z.string().nullable(),
  next_try_at: z.string().nullable(),
  can_retry: z.boolean(),
  due_on: z.string(),
  /** All of it is back, with this attempt or another. */
  is_finished: z.boolean(),
  accepted_at: z.string().nullable(),
  /** Why it failed, in the provider's words. */
  failure: z.string(),
  /** How it was paid back by hand, and on which day; null: it was not recorded, or the provider sent it. */
  method: z.enum(offlineMethods).nullable(),
  paid_on: z.string().nullable(),
  reference: z.string(),
});
export type Refund = z.infer<typeof Refund>;

const Mail = z.object({
  key: z.string(),
  template: z.string(),
  due_at: z.string(),
  sendings: z.array(
    z.object({
      state: z.enum(['sent', 'queued', 'retrying', 'given-up']),
      queued_at: z.string(),
      done_at: z.string().nullable(),
      problem: z.string().nullable(),
    }),
  ),
});
export type OrderMail = z.infer<typeof Mail>;

export const Order = Head.extend({
  payment: z
    .object({
      payment_id: z.string(),
      provider_order_id: z.string(),
      method: z.string().nullable(),
      amount_paise: paise,
      fee_paise: paise.nullable(),
      status: z.string(),
      captured_at: z.string().nullable(),
    })
    .nullable(),
  money: z.object({ paid_paise: paise, refunded_paise: paise, under_way_paise: paise, refundable_paise: paise }),
  /** What each sweet still has to give back, with its tax. */
  refundable_lines: z.array(z.object({ order_item_id: z.number(), paise })),
  refunds: z.array(Refund),
  events: z.array(
    z.object({
      id: z.number(),
      from_status: z.string().nullable(),
      to_status: z.string(),
      role: z.enum(['customer', 'administrator', 'system']),
      by: z.string().nullable(),
      note: z.string(),
      at: z.string(),
      /** The id of the event that this one undoes. */
      undoes: z.number().nullable(),
    }),
  ),
  /** null: the last move cannot be undone, or no longer. */
  undo: z.object({ to_status: z.enum(orderStatuses), seconds_left: z.number() }).nullable(),
  changes: z.array(
    z.object({
      id: z.number(),
      at: z.string(),
      by: z.string().nullable(),
      before: z.record(z.string(), z.unknown()).nullable(),
      after: z.record(z.string(), z.unknown()).nullable(),
    }),
  ),
  notes: z.array(z.object({ id: z.number(), note: z.string(), by: z.string().nullable(), at: z.string() })),
  customer: z
    .object({
      user_id: z.string(),
      name: z.string(),
      email: z.string().nullable(),
      /** Those that stand, and those that were canceled. */
      orders: z.number(),
      canceled: z.number(),
      is_blocked: z.boolean(),
      notes: z.string(),
      tags: z.array(z.string()),
    })
    .nullable(),
  /** What happened to its claims, in order. */
  claims: z.array(ClaimEvent),
  mails: z.array(Mail),
});
export type Order = z.infer<typeof Order>;

export const PrintedOrders = z.object({
  shop: z.object({
    name: z.string(),
    address: z.string(),
    fssai_number: z.string(),
    gstin: z.string(),
    email: z.string(),
    whatsapp_number: z.string(),
  }),
  orders: z.array(Head.extend({ /** Taken down with a phone order, for packing and delivery. */ note: z.string() })),
});
export type PrintedOrders = z.infer<typeof PrintedOrders>;

export type PrintedOrder = PrintedOrders['orders'][number];

export type PrintedShop = PrintedOrders['shop'];

export const readOrder = defineFunction('admin_read_order', { order_id: z.string() }, Order.nullable());

export const printOrders = defineFunction('admin_print_orders', { order_ids: z.array(z.string()) }, PrintedOrders);
