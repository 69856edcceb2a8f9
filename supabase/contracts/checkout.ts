// Functions of schemas/08_checkout. Called by the edge functions getShippingPrice and createOrder.
import { giftMotifs } from '../../domain/gifts/gift.ts';
import { offerKinds } from '../../domain/offers/offer.ts';
import { at, day, defineFunction, fulfilment, moment, nothing } from './contract.ts';
import { z } from './z.ts';

/** A sweet that would not survive the journey. */
export const Spoiled = z.object({
  product_id: z.number(),
  product: z.string(),
  shelf_life_days: z.number(),
  travel_days: z.number(),
  can_be_collected: z.boolean(),
});

/** Why there is no quote or checkout: the reason, and what the sentence about it needs. */
export const Refusal = z.object({
  ok: z.literal(false),
  reason: z.string(),
  product: z.string().optional(),
  product_id: z.number().optional(),
  /** The box that is refused, and its name. */
  box_id: z.number().optional(),
  box: z.string().optional(),
  left: z.number().optional(),
  unit: z.enum(['g', 'pieces']).optional(),
  pincode: z.string().optional(),
  spoiled: z.array(Spoiled).optional(),
  missing_phone: z.boolean().optional(),
  missing_address: z.boolean().optional(),
  /** The chosen day that is refused. */
  day: day.optional(),
  closure: z.string().nullish(),
  festival: z.string().nullish(),
  order_by: day.nullish(),
  last_day: day.optional(),
  limit_grams: z.number().optional(),
});
export type Refusal = z.infer<typeof Refusal>;

/** What an offer did to an order. */
export const AppliedOffer = z.object({
  code: z.string().nullable(),
  name: z.string(),
  kind: z.enum(offerKinds),
  discount_paise: z.number(),
  /** The delivery charge that was not taken. */
  shipping_paise: z.number(),
});

/** Why a code does not count. */
const CodeProblem = z.object({
  reason: z.string(),
  code: z.string(),
  day: day.optional(),
  missing_paise: z.number().optional(),
  min_order_paise: z.number().optional(),
  categories: z.array(z.string()).optional(),
  most: z.number().optional(),
  /** The offer that saves more. */
  offer: z.string().optional(),
});

const Quote = z.object({
  ok: z.literal(true),
  quote_id: z.string(),
  sub_total_paise: z.number(),
  tax_paise: z.number(),
  shipping_paise: z.number(),
  /** The GST in the shipping charge. */
  shipping_tax_paise: z.number(),
  total_paise: z.number(),
  /** What offers took off the goods before tax. */
  discount_paise: z.number(),
  offers: z.array(AppliedOffer),
  code_problem: CodeProblem.nullable(),
  delivery_by: day.nullable(),
  /** The first day on which the counter is open, of what is picked up. */
  collect_from: day.nullable(),
  expires_at: moment,
});

export const quoteOrder = defineFunction(
  'quote_order',
  {
    customer_id: z.string().nullable(),
    lines: z.array(
      z.union([
        z.object({ product_id: z.number(), quantity: z.number(), size: z.number() }),
        z.object({
          box_id: z.number(),
          quantity: z.number(),
          contents: z.array(z.object({ product_id: z.number(), pieces: z.number() })),
        }),
      ]),
    ),
    pincode: z.string(),
    source: z.enum(['cart', 'direct']),
    fulfilment,
    at,
    /** The day that the customer chose; left out: the earliest. */
    delivery_on: day.optional(),
    /** The offer code that the customer typed. */
    code: z.string().optional(),
  },
  z.discriminatedUnion('ok', [Quote, Refusal]),
);

/** A gift as the database keeps it. */
const StoredGift = z.object({
  note: z.string(),
  motif: z.enum(giftMotifs),
  sender_name: z.string(),
  recipient_email: z.string().nullable(),
});

const Checkout = z.object({
  ok: z.literal(true),
  checkout_id: z.string(),
  amount_paise: z.number(),
  provider_order_id: z.string().nullable(),
  is_new: z.boolean(),
  name: z.string(),
  phone: z.string(),
  email: z.string().nullable(),
  shop: z.string(),
});

export const openCheckout = defineFunction(
  'open_checkout',
  {
    customer_id: z.string().nullable(),
    amount_paise: z.number(),
    quote_id: z.string().nullable().optional(),
    at,
    ip_hash: z.string().optional(),
    /** An address of the customer's book; left out: the profile's. */
    address_id: z.string().nullable().optional(),
    gift: StoredGift.nullable().optional(),
  },
  z.discriminatedUnion('ok', [Checkout, Refusal]),
);

/** The provider's order of the checkout: the one that came first. */
export const attachProviderOrder = defineFunction(
  'attach_provider_order',
  { checkout_id: z.string(), provider_order_id: z.string() },
  z.string().nullable(),
);

/** Forgets from which addresses checkouts came, some time after. */
export const forgetAddresses = defineFunction('delete_old_ip_hashes', { at }, nothing);

// Batches of the above, made by the host (server/functions/functions.ts): as many results as calls.

export const quoteOrders = defineFunction(
  'quote_orders',
  { calls: z.array(quoteOrder.args) },
  z.array(quoteOrder.result),
);
export const openCheckouts = defineFunction(
  'open_checkouts',
  { calls: z.array(openCheckout.args) },
  z.array(openCheckout.result),
);
export const attachProviderOrders = defineFunction(
  'attach_provider_orders',
  { calls: z.array(attachProviderOrder.args) },
  z.array(attachProviderOrder.result),
);
