// Functions of schemas/18_claims: what customers read of their claims, and do. Called by the function claim with the service role.
import { claimDecisions, claimProblems, claimStates, windowStates } from '../../domain/claims/claim.ts';
import { at, day, defineFunction, fulfilment, moment } from './contract.ts';
import { z } from './z.ts';

const asker = z.string().nullable();
/** The token of a signed link; null or left out: the caller is the customer. */
const link = z.string().nullish();
const paise = z.number().int();

const Contact = z.object({ name: z.string(), email: z.string(), phone: z.string(), hours: z.string() });

export const CustomerClaim = z.object({
  id: z.string(),
  ticket: z.string(),
  state: z.enum(claimStates),
  decision: z.enum(claimDecisions).nullable(),
  opened_at: moment,
  acknowledge_by: moment,
  decide_by: day,
  acknowledged_at: moment.nullable(),
  decided_at: moment.nullable(),
  settle_by: day.nullable(),
  items: z.array(
    z.object({
      order_item_id: z.number(),
      name: z.string(),
      quantity: z.number(),
      size: z.number().nullable(),
      problem: z.enum(claimProblems),
    }),
  ),
  messages: z.array(z.object({ id: z.number(), from_shop: z.boolean(), words: z.string(), at: moment })),
  photos: z.array(z.object({ id: z.string(), width: z.number(), height: z.number() })),
  photos_left: z.number(),
  refund_paise: paise,
  is_refunded: z.boolean().nullable(),
  replacement: z
    .object({
      state: z.enum(['to-send', 'sent', 'delivered']),
      sent_at: moment.nullable(),
      delivered_at: moment.nullable(),
      courier: z.string().nullable(),
      tracking_number: z.string().nullable(),
      tracking_url: z.string().nullable(),
    })
    .nullable(),
});
export type CustomerClaim = z.infer<typeof CustomerClaim>;

export const OrderClaims = z.object({
  order_id: z.string(),
  number: z.number(),
  fulfilment,
  window: z.object({ state: z.enum(windowStates), ends_at: moment.nullable() }),
  contact: Contact,
  items: z.array(
    z.object({
      order_item_id: z.number(),
      name: z.string(),
      image: z.string(),
      quantity: z.number(),
      size: z.number().nullable(),
      /** How many of them can still be claimed. */
      left: z.number(),
    }),
  ),
  claims: z.array(CustomerClaim),
});
export type OrderClaims = z.infer<typeof OrderClaims>;

/** null: not the caller's order. */
export const readClaims = defineFunction(
  'read_claims',
  { asker, order_id: z.string().nullable(), link, at },
  OrderClaims.nullable(),
);

export const openClaim = defineFunction(
  'open_claim',
  {
    asker,
    order_id: z.string().nullable(),
    items: z.array(z.object({ order_item_id: z.number(), quantity: z.number(), problem: z.enum(claimProblems) })),
    words: z.string(),
    entry_id: z.string(),
    link,
    at,
  },
  z.discriminatedUnion('ok', [
    z.object({ ok: z.literal(true), id: z.string(), ticket: z.string() }),
    z.object({
      ok: z.literal(false),
      reason: z.enum([
        'unknown-order',
        'too-late',
        'too-early',
        'nothing-to-claim',
        'words',
        'too-many',
        'already-claimed',
        'only-not-delivered',
        'items',
      ]),
      ended_at: moment.optional(),
      contact: Contact.optional(),
      name: z.string().optional(),
      left: z.number().optional(),
    }),
  ]),
);

export const answerClaim = defineFunction(
  'answer_claim',
  { asker, claim_id: z.string(), words: z.string(), entry_id: z.string(), link, at },
  z.discriminatedUnion('ok', [
    z.object({ ok: z.literal(true) }),
    z.object({ ok: z.literal(false), reason: z.enum(['unknown-claim', 'closed', 'words', 'too-many']) }),
  ]),
);

export const addClaimPhoto = defineFunction(
  'add_claim_photo',
  {
    asker,
    claim_id: z.string(),
    entry_id: z.string(),
    type: z.enum(['image/webp', 'image/jpeg']),
    width: z.number(),
    height: z.number(),
    /** base64 */
    content: z.string(),
    link,
    at,
  },
  z.discriminatedUnion('ok', [
    z.object({ ok: z.literal(true), id: z.string() }),
    z.object({ ok: z.literal(false), reason: z.enum(['unknown-claim', 'decided', 'enough-photos', 'too-many']) }),
  ]),
);

/** null: there is none, or not for this caller. `content` is base64. */
export const readClaimPhoto = defineFunction(
  'read_claim_photo',
  { asker, photo_id: z.string(), at },
  z.object({ type: z.enum(['image/webp', 'image/jpeg']), content: z.string() }).nullable(),
);
