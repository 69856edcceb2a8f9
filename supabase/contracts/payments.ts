// Functions of schemas/09_payments. Called by placeOrder, paymentWebhook and the worker.
import { at, defineFunction, nothing } from './contract.ts';
import { z } from './z.ts';

const Settled = z.discriminatedUnion('outcome', [
  z.object({
    outcome: z.literal('ordered'),
    user_id: z.string().nullable(),
    /** Of a group the order of its first recipient. */
    order_id: z.string(),
    number: z.number(),
    group_id: z.string().nullable(),
  }),
  z.object({ outcome: z.literal('refunded'), user_id: z.string().nullable(), reason: z.string() }),
  z.object({ outcome: z.literal('unknown-order') }),
]);

export const settlePayment = defineFunction(
  'settle_payment',
  {
    provider_order_id: z.string().nullable(),
    payment_id: z.string(),
    amount_paise: z.number(),
    currency: z.string(),
    method: z.string().nullable().optional(),
    fee_paise: z.number().nullable().optional(),
    /** It was refunded outside the shop: recorded, and no order is made. */
    is_refunded_by_provider: z.boolean().optional(),
    at,
  },
  Settled,
);

/** As many results as calls. */
export const settlePayments = defineFunction(
  'settle_payments',
  { calls: z.array(settlePayment.args) },
  z.array(Settled),
);

/** True when the event is new. */
export const recordPaymentEvent = defineFunction(
  'record_payment_event',
  {
    event_id: z.string(),
    name: z.string(),
    provider_order_id: z.string().nullable(),
    payment_id: z.string().nullable(),
    provider_refund_id: z.string().nullable(),
    at,
  },
  z.boolean(),
);

export const recordRefund = defineFunction(
  'record_refund',
  {
    refund_id: z.string(),
    provider_refund_id: z.string().nullable(),
    status: z.enum(['pending', 'processed', 'failed']),
    at,
    /** Why it failed, in the provider's words. */
    problem: z.string().nullish(),
    /** The bank's own reference (ARN, RRN or UTR), with which the customer's bank finds it. */
    reference: z.string().nullish(),
  },
  nothing,
);

/** Emails customers whose refund is late; how many refunds are. */
export const queueRefundDelays = defineFunction('queue_refund_delays', { at }, z.number());
