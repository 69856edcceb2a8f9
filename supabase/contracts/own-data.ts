// Functions of schemas/14_customers/04_own_data.sql: what a customer takes along, and how they leave.
import { day, defineFunction } from './contract.ts';
import { CreditNote, Invoice, Place } from './documents.ts';
import { z } from './z.ts';

const parts = z.enum(['account', 'orders', 'documents']);
const Json = z.record(z.string(), z.unknown());

/** One piece, for the edge function myData; null: asked too often. */
export const readOwnData = defineFunction(
  'read_own_data',
  { customer_id: z.string(), part: parts, after: z.array(z.number()).optional() },
  z
    .object({
      /** By the names of their files. */
      files: Json.optional(),
      orders: z.array(z.object({ number: z.number() }).loose()).optional(),
      documents: z
        .array(z.discriminatedUnion('kind', [Invoice.extend({ place: Place }), CreditNote.extend({ place: Place })]))
        .optional(),
      next: z.object({ part: parts, after: z.array(z.number()) }).nullable(),
    })
    .nullable(),
);

/** What deleting the caller's account would mean; `blocker`: why it cannot be deleted now. */
export const myErasure = defineFunction(
  'my_erasure',
  {},
  z.object({
    blocker: z.string().nullable(),
    orders: z.number(),
    reviews: z.number(),
    invoices: z.number(),
    /** Until when the law makes us keep the last invoice; null: there is none. */
    kept_until: day.nullable(),
  }),
);
export const eraseMe = defineFunction('erase_me', { confirmation: z.string() }, z.boolean());
