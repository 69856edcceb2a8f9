// Functions of schemas/20_console/18_claims.sql: claims by what is due next, answering and deciding them.
import { claimDecisions, claimProblems, claimStates } from '../../../domain/claims/claim.ts';
import { orderStatuses } from '../../../domain/orders/status.ts';
import { at, day, defineFunction, fulfilment, moment } from '../contract.ts';
import { z } from '../z.ts';

const paise = z.number().int();

const Row = z.object({
  id: z.string(),
  ticket: z.string(),
  order_id: z.string(),
  order_number: z.number(),
  customer: z.string(),
  state: z.enum(claimStates),
  decision: z.enum(claimDecisions).nullable(),
  opened_at: moment,
  decided_at: moment.nullable(),
  /** What is to be done next, and by when; null: nothing. */
  step: z.enum(['acknowledge', 'decide', 'refund', 'send']).nullable(),
  due_at: moment.nullable(),
  is_overdue: z.boolean(),
  problems: z.array(z.enum(claimProblems)),
  items: z.string(),
  photos: z.number(),
  /** The last message is the customer's. */
  is_unanswered: z.boolean(),
});
export type ClaimRow = z.infer<typeof Row>;

export const ClaimEvent = z.object({
  id: z.number(),
  claim_id: z.string(),
  ticket: z.string(),
  kind: z.enum([
    'received',
    'acknowledged',
    'photo',
    'asked',
    'answered',
    'refunded',
    'replaced',
    'refused',
    'sent',
    'delivered',
  ]),
  /** null: the customer. */
  by: z.string().nullable(),
  amount_paise: paise.nullable(),
  at: moment,
});
export type ClaimEvent = z.infer<typeof ClaimEvent>;

export const Claim = Row.extend({
  /** Sent back with every change: what was seen. */
  updated_at: moment,
  acknowledge_by: moment,
  decide_by: day,
  settle_by: day.nullable(),
  acknowledged_at: moment.nullable(),
  order: z.object({
    status: z.enum(orderStatuses),
    payment_status: z.string(),
    fulfilment,
    placed_at: moment,
    delivered_at: moment.nullable(),
    delivery_by: day.nullable(),
    total_paise: paise,
    shipping_paise: paise,
    phone: z.string(),
    city: z.string(),
    zip: z.string(),
    email: z.string().nullable(),
  }),
  money: z.object({ paid_paise: paise, refunded_paise: paise, under_way_paise: paise, refundable_paise: paise }),
  shipping_left_paise: paise,
  claimed: z.array(
    z.object({
      order_item_id: z.number(),
      name: z.string(),
      image: z.string(),
      size: z.number().nullable(),
      ordered: z.number(),
      quantity: z.number(),
      problem: z.enum(claimProblems),
      /** The whole line with its tax. */
      line_paise: paise.nullable(),
      /** How many of it were given for claims. */
      given: z.number(),
      left_paise: paise.nullable(),
    }),
  ),
  messages: z.array(
    z.object({
      id: z.number(),
      from_shop: z.boolean(),
      by: z.string().nullable(),
      words: z.string(),
      at: moment,
    }),
  ),
  photo_list: z.array(z.object({ id: z.string(), width: z.number(), height: z.number(), at: moment })),
  history: z.array(ClaimEvent),
  refunds: z.array(
    z.object({
      /** null: shipping. */
      order_item_id: z.number().nullable(),
      quantity: z.number().nullable(),
      amount_paise: paise,
      status: z.enum(['queued', 'pending', 'processed', 'failed']),
    }),
  ),
  replacement: z
    .object({
      state: z.enum(['to-send', 'sent', 'delivered']),
      made_at: moment,
      sent_at: moment.nullable(),
      delivered_at: moment.nullable(),
      courier: z.string().nullable(),
      tracking_number: z.string().nullable(),
      tracking_url: z.string().nullable(),
      items: z.array(z.object({ order_item_id: z.number(), quantity: z.number() })),
    })
    .nullable(),
  others: z.array(
    z.object({
      id: z.string(),
      ticket: z.string(),
      state: z.enum(claimStates),
      decision: z.enum(claimDecisions).nullable(),
    }),
  ),
});
export type Claim = z.infer<typeof Claim>;

export const listClaims = defineFunction(
  'admin_list_claims',
  { shown: z.enum(['open', 'decided']).optional(), after: z.string().nullish(), at },
  z.object({ rows: z.array(Row), next: z.string().nullable() }),
);

/** null: no such claim. */
export const readClaim = defineFunction('admin_read_claim', { claim_id: z.string(), at }, Claim.nullable());

const Changed = z.object({ updated_at: moment });
const seen = moment;
const claim_id = z.string();
const Items = z.array(z.object({ order_item_id: z.number(), quantity: z.number() }));

export const acknowledgeClaim = defineFunction('admin_acknowledge_claim', { claim_id, seen }, Changed);

export const answerAsShop = defineFunction(
  'admin_answer_claim',
  { claim_id, words: z.string(), entry_id: z.string() },
  Changed,
);

export const refundClaim = defineFunction(
  'admin_refund_claim',
  { claim_id, items: Items, shipping_paise: paise, words: z.string(), seen },
  Changed.extend({ refund_paise: paise }),
);

export const replaceClaim = defineFunction(
  'admin_replace_claim',
  { claim_id, items: Items, words: z.string(), seen },
  Changed,
);

export const refuseClaim = defineFunction('admin_refuse_claim', { claim_id, words: z.string(), seen }, Changed);

export const sendReplacement = defineFunction(
  'admin_send_replacement',
  {
    claim_id,
    courier: z.string().nullable(),
    tracking_number: z.string().nullable(),
    tracking_url: z.string().nullable(),
    seen,
  },
  Changed,
);

export const deliverReplacement = defineFunction('admin_deliver_replacement', { claim_id, seen }, Changed);
