// Functions of schemas/20_console/19_refunds.sql: the list of refunds, trying one again, recording one by hand.
import { at, day, defineFunction, moment } from '../contract.ts';
import { z } from '../z.ts';

const paise = z.number();

/** accepted: by the provider; retrying: it failed and waits; failed and by-hand: an administrator has to see to it. */
export const refundStates = ['queued', 'accepted', 'retrying', 'failed', 'by-hand'] as const;
export const refundAges = ['overdue', 'soon', 'in-time'] as const;

const Head = z.object({
  id: z.string(),
  /** null: of a payment that never became an order. `seen` is sent back with a change. */
  order: z.object({ id: z.string(), number: z.number(), seen: moment }).nullable(),
  customer: z.string().nullable(),
  customer_id: z.string().nullable(),
  phone: z.string().nullable(),
  made_at: moment,
  due_on: day,
  amount_paise: paise,
  attempts: z.number(),
  reason: z.string(),
  note: z.string(),
  provider_refund_id: z.string().nullable(),
});

export const OpenRefund = Head.extend({
  state: z.enum(refundStates),
  /** Business days; below zero: how many days it is overdue. */
  days_left: z.number(),
  accepted_at: moment.nullable(),
  next_try_at: moment.nullable(),
  failed_attempt: z.string().nullable(),
  failed_at: moment.nullable(),
  failure: z.string(),
});
export type OpenRefund = z.infer<typeof OpenRefund>;

export const FinishedRefund = Head.extend({
  finished_at: moment,
  sent_on: day,
  /** From when it was made. */
  days: z.number(),
  is_in_time: z.boolean(),
  is_by_hand: z.boolean(),
  method: z.string().nullable(),
  reference: z.string(),
});
export type FinishedRefund = z.infer<typeof FinishedRefund>;

const Sum = z.object({ count: z.number(), paise });
export const RefundGroups = z.object({ overdue: Sum, soon: Sum, 'in-time': Sum });
export type RefundGroups = z.infer<typeof RefundGroups>;

export const RefundSpeed = z.object({ count: z.number(), in_time: z.number(), median_days: z.number().nullable() });
export type RefundSpeed = z.infer<typeof RefundSpeed>;

const Page = z.object({ next: z.string().nullable(), count: z.number(), count_is_capped: z.boolean() });

export const listRefunds = defineFunction(
  'admin_list_refunds',
  {
    shown: z.enum(['open', 'finished']).optional(),
    age: z.string().optional(),
    state: z.string().optional(),
    after: z.string().nullish(),
    at,
  },
  z.discriminatedUnion('shown', [
    Page.extend({
      shown: z.literal('open'),
      rows: z.array(OpenRefund),
      /** Of all open refunds, whatever is filtered. */
      groups: RefundGroups,
    }),
    Page.extend({
      shown: z.literal('finished'),
      rows: z.array(FinishedRefund),
      /** Of those finished in the last 90 days. */
      speed: RefundSpeed,
    }),
  ]),
);

/** Without an order: of a payment that never became one. */
export const retryRefund = defineFunction(
  'admin_retry_refund',
  { order_id: z.string().nullable(), refund_id: z.string(), seen: moment.nullable() },
  z.object({ refund_id: z.string(), updated_at: moment.nullable() }),
);

/** `refund_id`: the failed attempt; null: what is due of a canceled order that was paid offline. */
export const recordRefund = defineFunction(
  'admin_record_refund',
  {
    order_id: z.string().nullable(),
    refund_id: z.string().nullable(),
    amount_paise: paise,
    method: z.string(),
    reference: z.string(),
    paid_on: day,
  },
  z.object({ refund_id: z.string() }),
);
