// Functions of schemas/12_documents. The documents are those of domain/documents/tax-document.ts.
import { day, defineFunction, moment } from './contract.ts';
import { z } from './z.ts';

const headed = {
  number: z.string(),
  issued_at: moment,
  order_number: z.number(),
  placed_at: moment,
  is_collected: z.boolean(),
  supplier: z.object({
    name: z.string(),
    legal_name: z.string(),
    address: z.string(),
    state: z.string(),
    state_code: z.string().nullable(),
    has_assembly: z.boolean(),
    gstin: z.string(),
    fssai_number: z.string(),
    email: z.string(),
    phone: z.string(),
  }),
  recipient: z.object({
    name: z.string(),
    building_no: z.string(),
    street: z.string(),
    city: z.string(),
    state: z.string(),
    zip: z.string(),
  }),
  total_paise: z.number(),
};

const taxed = {
  ...headed,
  place_of_supply: z.object({ code: z.string(), name: z.string() }).nullable(),
  tax_kind: z.enum(['intra', 'inter', 'none']),
  lines: z.array(
    z.object({
      description: z.string(),
      hsn: z.string(),
      quantity: z.number().nullable(),
      unit: z.string().nullable(),
      rate_paise: z.number().nullable().optional(),
      discount_paise: z.number().optional(),
      gst_percent: z.number(),
      taxable_paise: z.number(),
      cgst_paise: z.number(),
      sgst_paise: z.number(),
      igst_paise: z.number(),
    }),
  ),
  taxable_paise: z.number(),
  cgst_paise: z.number(),
  sgst_paise: z.number(),
  igst_paise: z.number(),
};

const charged = {
  sub_total_paise: z.number(),
  discount_paise: z.number(),
  offers: z.string(),
  tax_paise: z.number(),
  shipping_paise: z.number(),
  shipping_tax_paise: z.number(),
};

export const Invoice = z.object({ ...taxed, kind: z.literal('invoice'), charged: z.object(charged) });
export const CreditNote = z.object({
  ...taxed,
  kind: z.literal('credit note'),
  invoice: z.object({ number: z.string(), issued_at: moment }),
  is_refund: z.boolean(),
});
const Receipt = z.object({
  ...headed,
  ...charged,
  kind: z.literal('receipt'),
  payment_status: z.string(),
  is_canceled: z.boolean(),
  lines: z.array(
    z.object({
      description: z.string(),
      quantity: z.number(),
      rate_paise: z.number(),
      line_paise: z.number(),
    }),
  ),
});

/** null when there is none, or the caller may not see it. */
export const readDocument = defineFunction(
  'read_document',
  { asker: z.string(), order_id: z.string(), credit_note: z.string().nullable().optional() },
  z.discriminatedUnion('kind', [Invoice, CreditNote, Receipt]).nullable(),
);

/** Series, year and number: the next page begins after it. */
export const Place = z.array(z.number());

/** null for anybody but administrators. */
export const readDocuments = defineFunction(
  'read_documents',
  {
    asker: z.string(),
    order_ids: z.array(z.string()).nullable().optional(),
    month: day.nullable().optional(),
    after: Place.nullable().optional(),
  },
  z
    .object({
      documents: z.array(
        z.discriminatedUnion('kind', [Invoice.extend({ place: Place }), CreditNote.extend({ place: Place })]),
      ),
      next: Place.nullable(),
      /** How many of the chosen orders have no invoice. */
      without_invoice: z.number(),
    })
    .nullable(),
);

export const ListedDocument = z.object({
  order_id: z.string(),
  kind: z.enum(['invoice', 'credit note']),
  id: z.string(),
  number: z.string(),
  issued_at: moment,
  total_paise: z.number(),
});

/** Of the caller's own orders. */
export const myDocuments = defineFunction('my_documents', { order_ids: z.array(z.string()) }, z.array(ListedDocument));
/** For administrators. */
export const listDocuments = defineFunction('admin_read_documents', { order_id: z.string() }, z.array(ListedDocument));
