// Functions of schemas/07_orders: what customers read of their own payments. Read in the browser, which has no Zod there:
// it takes the types from here.
import { giftMotifs } from '../../domain/gifts/gift.ts';
import { day, defineFunction, fulfilment, moment } from './contract.ts';
import { z } from './z.ts';

export const refundStatus = z.enum(['queued', 'pending', 'processed', 'failed']);

/** null: no such payment, or another customer's. */
export const myCheckout = defineFunction(
  'my_checkout',
  { provider_order_id: z.string() },
  z
    .object({
      state: z.enum(['ordered', 'refunded', 'confirming', 'lapsed']),
      total_paise: z.number(),
      order_id: z.string().nullable(),
      number: z.number().nullable(),
      delivery_by: day.nullable(),
      deliver_on: day.nullable(),
      missed_day: day.nullable(),
      fulfilment,
      is_gift: z.boolean(),
      /** Name and address, line by line; null when it is picked up. */
      address: z.array(z.string()).nullable(),
      items: z
        .array(
          z.object({
            name: z.string(),
            image: z.string(),
            quantity: z.number(),
            size: z.number().nullable(),
            line_paise: z.number(),
          }),
        )
        .nullable(),
      refund: z.object({ reason: z.string(), amount_paise: z.number(), status: refundStatus }).nullable(),
    })
    .nullable(),
);

/** Of the caller's orders, those that are gifts. */
export const myGifts = defineFunction(
  'my_gifts',
  { order_ids: z.array(z.string()) },
  z.array(
    z.object({
      order_id: z.string(),
      note: z.string(),
      motif: z.enum(giftMotifs),
      sender_name: z.string(),
      recipient_email: z.string().nullable(),
      recipient: z.string(),
      city: z.string(),
    }),
  ),
);

/** A line as it was, and what of it is different today; amounts are of 500 g, of a piece, or of a box. */
export const LineAgain = z.object({
  product_id: z.number().nullable(),
  name: z.string(),
  size: z.number(),
  has_size: z.boolean(),
  quantity: z.number(),
  paise_then: z.number(),
  paise_now: z.number().nullable(),
  is_sold: z.boolean(),
  is_available: z.boolean(),
  box_id: z.number().nullable(),
  contents: z.array(z.object({ product_id: z.number(), pieces: z.number() })).nullable(),
  /** It is now sold by the piece instead of by weight, or the other way round. */
  is_other_size: z.boolean(),
  /** The sweets in a box that cannot be had today. */
  missing: z.array(z.string()),
});

/** The lines of an order of the caller's, as they are today; null: it is none of theirs. */
export const myOrderAgain = defineFunction('my_order_again', { order_id: z.string() }, z.array(LineAgain).nullable());

/** The items that the link in a cart reminder puts back; null: the link is not good. `is_ordered`: something was ordered since. */
export const cartByLink = defineFunction(
  'cart_by_link',
  { token: z.string() },
  z.object({ is_ordered: z.boolean(), lines: z.array(LineAgain) }).nullable(),
);

/** A gift of the caller's, to be sent again; null: it is none of theirs. */
export const myGiftAgain = defineFunction(
  'my_gift_again',
  { order_id: z.string() },
  z
    .object({
      gift: z.object({
        note: z.string(),
        motif: z.enum(giftMotifs),
        sender_name: z.string(),
        recipient_email: z.string().nullable(),
      }),
      to: z.object({
        /** null: it is in the address book no more, or it is the customer's own. */
        address_id: z.string().nullable(),
        is_own: z.boolean(),
        is_changed: z.boolean(),
        is_reached: z.boolean(),
        name: z.string(),
        phone: z.string(),
        building_no: z.string(),
        street: z.string(),
        city: z.string(),
        state: z.string(),
        zip: z.string(),
      }),
      lines: z.array(LineAgain),
    })
    .nullable(),
);

/** A group of the caller's, as its list can be sent again; null: it is none of theirs. */
export const myGroupAgain = defineFunction(
  'my_group_again',
  { group_id: z.string() },
  z
    .object({
      card: z.object({ motif: z.enum(giftMotifs), sender_name: z.string() }).nullable(),
      recipients: z.array(
        z.object({
          place: z.number(),
          name: z.string(),
          phone: z.string(),
          building_no: z.string(),
          street: z.string(),
          city: z.string(),
          state: z.string(),
          zip: z.string(),
          is_reached: z.boolean(),
          note: z.string(),
          email: z.string().nullable(),
          lines: z.array(LineAgain),
        }),
      ),
    })
    .nullable(),
);

export const myRefunds = defineFunction(
  'my_refunds',
  /** Where the page before ended: `attempted_at` and id of its last row. */
  { before: moment.nullish(), before_id: z.string().nullish() },
  z.array(
    z.object({
      id: z.string(),
      /** null: the payment never became an order. */
      order_id: z.string().nullable(),
      amount_paise: z.number(),
      status: refundStatus,
      reason: z.string(),
      /** When it was asked for; of a retry: the first time. */
      created_at: moment,
      processed_at: moment.nullable(),
      due_on: day,
      /** When the provider accepted it. */
      accepted_at: moment.nullable(),
      /** Of one that failed before and waits. */
      next_try_at: moment.nullable(),
      /** How the shop paid it back itself, and on which day; null: through the provider. */
      method: z.string().nullable(),
      paid_on: day.nullable(),
      reference: z.string().nullable(),
      provider_refund_id: z.string().nullable(),
      attempted_at: moment,
    }),
  ),
);
