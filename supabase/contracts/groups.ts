// Functions of schemas/08_checkout/04_groups.sql and 07_orders/06_groups.sql: many recipients, one payment. Called by the edge
// functions quoteGroup and createGroupOrder, and read in the browser, which has no Zod there: it takes the types from here.
import { giftMotifs } from '../../domain/gifts/gift.ts';
import { Refusal } from './checkout.ts';
import { at, day, defineFunction, moment } from './contract.ts';
import { ListedDocument } from './documents.ts';
import { refundStatus } from './orders.ts';
import { z } from './z.ts';

/** A recipient as typed. */
const Recipient = z.object({
  name: z.string(),
  phone: z.string(),
  building_no: z.string(),
  street: z.string(),
  city: z.string(),
  state: z.string(),
  zip: z.string(),
  delivery_on: day.nullable(),
  note: z.string(),
  email: z.string().nullable(),
  lines: z.array(z.object({ product_id: z.number(), quantity: z.number(), size: z.number() })),
});
const Card = z.object({ motif: z.enum(giftMotifs), sender_name: z.string() });

/** Why a recipient cannot be sent anything; `place` counts from 1. */
const RefusedRow = Refusal.omit({ ok: true }).extend({ place: z.number(), field: z.string().optional() });
export type RefusedRow = z.infer<typeof RefusedRow>;
/** A product of which all recipients together want more than there is. */
const Short = Refusal.omit({ ok: true }).extend({ wanted: z.number() });
export type Short = z.infer<typeof Short>;

export const quoteGroup = defineFunction(
  'quote_group',
  { customer_id: z.string(), recipients: z.array(Recipient), card: Card, at },
  z.discriminatedUnion('ok', [
    z.object({
      ok: z.literal(true),
      rows: z.array(
        z.discriminatedUnion('ok', [
          z.object({
            ok: z.literal(true),
            place: z.number(),
            sub_total_paise: z.number(),
            tax_paise: z.number(),
            shipping_paise: z.number(),
            total_paise: z.number(),
            delivery_by: day.nullable(),
          }),
          RefusedRow.extend({ ok: z.literal(false) }),
        ]),
      ),
      short: z.array(Short),
      /** Why the stock of all recipients cannot be held, whatever there is of it. */
      refused: Refusal.nullable(),
      /** Opens exactly these prices and days; null as long as a row is wrong. */
      key: z.string().nullable(),
      total_paise: z.number(),
    }),
    Refusal,
  ]),
);

export const openGroup = defineFunction(
  'open_group',
  {
    customer_id: z.string(),
    recipients: z.array(Recipient),
    card: Card,
    key: z.string(),
    ip_hash: z.string().optional(),
    at,
  },
  z.discriminatedUnion('ok', [
    z.object({
      ok: z.literal(true),
      group_id: z.string(),
      amount_paise: z.number(),
      provider_order_id: z.string().nullable(),
      is_new: z.boolean(),
      name: z.string(),
      phone: z.string(),
      email: z.string().nullable(),
      shop: z.string(),
    }),
    Refusal.extend({ rows: z.array(RefusedRow).optional(), short: z.array(Short).optional() }),
  ]),
);

/** A recipient of a group that is paid. */
const Member = z.object({
  place: z.number(),
  order_id: z.string(),
  number: z.number(),
  status: z.string(),
  payment_status: z.string(),
  total_paise: z.number(),
  delivery_by: day.nullable(),
  deliver_on: day.nullable(),
  missed_day: day.nullable(),
  name: z.string(),
  phone: z.string(),
  building_no: z.string(),
  street: z.string(),
  city: z.string(),
  state: z.string(),
  zip: z.string(),
  tracking_url: z.string().nullable(),
  can_be_corrected: z.boolean(),
  note: z.string().nullable(),
  items: z.array(z.object({ name: z.string(), quantity: z.number(), size: z.number().nullable() })),
});

/** null: no such group, or somebody else's. */
export const myGroup = defineFunction(
  'my_group',
  { reference: z.string() },
  z
    .object({
      id: z.string(),
      recipients: z.number(),
      total_paise: z.number(),
      created_at: moment,
      state: z.enum(['ordered', 'refunded', 'confirming', 'lapsed']),
      refund: z.object({ reason: z.string(), amount_paise: z.number(), status: refundStatus }).nullable(),
      orders: z.array(Member),
      /** Of all recipients. */
      documents: z.array(ListedDocument),
      /** What all recipients get together. */
      items: z.array(
        z.object({
          name: z.string(),
          image: z.string(),
          size: z.number().nullable(),
          quantity: z.number(),
          line_paise: z.number(),
        }),
      ),
    })
    .nullable(),
);

export const myGroups = defineFunction(
  'my_groups',
  { group_ids: z.array(z.string()) },
  z.array(
    z.object({
      id: z.string(),
      recipients: z.number(),
      total_paise: z.number(),
      /** How many orders have each status. */
      statuses: z.record(z.string(), z.number()),
    }),
  ),
);

export const correctRecipient = defineFunction(
  'correct_recipient',
  {
    order_id: z.string(),
    delivery: z.object({
      name: z.string(),
      phone: z.string(),
      building_no: z.string(),
      street: z.string(),
      city: z.string(),
      state: z.string(),
      zip: z.string(),
    }),
  },
  Member,
);
