// Functions of schemas/20_console/51_vendors.sql: vendors, what is owed to them and what was paid.
import { at, Cursor, day, defineFunction } from '../contract.ts';
import { z } from '../z.ts';

export const VendorList = z.object({
  owed_paise: z.number(),
  overdue_paise: z.number(),
  due_soon_paise: z.number(),
  rows: z.array(
    z.object({
      id: z.number(),
      name: z.string(),
      contact_name: z.string(),
      phone: z.string(),
      payment_terms_days: z.number(),
      archived_at: z.string().nullable(),
      open_orders: z.number(),
      last_ordered_at: z.string().nullable(),
      next_due_on: z.string().nullable(),
      owed_paise: z.number(),
      overdue_paise: z.number(),
    }),
  ),
});
export type VendorRow = z.infer<typeof VendorList>['rows'][number];

const Bill = z.object({
  id: z.number(),
  purchase_id: z.number(),
  bill_number: z.string(),
  billed_on: z.string(),
  due_on: z.string(),
  amount_paise: z.number(),
  unpaid_paise: z.number(),
});
export type Bill = z.infer<typeof Bill>;

export const Vendor = z
  .object({
    id: z.number(),
    name: z.string(),
    contact_name: z.string(),
    phone: z.string(),
    email: z.string(),
    gstin: z.string(),
    fssai_number: z.string(),
    payment_terms_days: z.number(),
    notes: z.string(),
    archived_at: z.string().nullable(),
    updated_at: z.string(),
    owed_paise: z.number(),
    overdue_paise: z.number(),
    bills: z.array(Bill),
  })
  .nullable();
export type Vendor = NonNullable<z.infer<typeof Vendor>>;

export const Payables = z.object({
  owed_paise: z.number(),
  overdue_paise: z.number(),
  due_soon_paise: z.number(),
  rows: z.array(
    z.object({
      vendor_id: z.number(),
      vendor: z.string(),
      phone: z.string(),
      owed_paise: z.number(),
      overdue_paise: z.number(),
      next_due_on: z.string(),
      bills: z.array(Bill),
    }),
  ),
});
export type Payable = z.infer<typeof Payables>['rows'][number];

export const Account = z.object({
  next: z.record(z.string(), z.unknown()).nullable(),
  rows: z.array(
    z.object({
      id: z.string(),
      kind: z.enum(['bill', 'payment']),
      day: z.string(),
      amount_paise: z.number(),
      owed_after_paise: z.number(),
      reference: z.string(),
      mode: z.string().nullable(),
      due_on: z.string().nullable(),
      purchase_id: z.number().nullable(),
    }),
  ),
});
export type AccountEntry = z.infer<typeof Account>['rows'][number];

const Owed = z.object({ id: z.string(), owed_paise: z.number() });

export const listVendors = defineFunction(
  'admin_list_vendors',
  { search: z.string().nullish(), with_archived: z.boolean().nullish(), at },
  VendorList,
);

export const readVendor = defineFunction('admin_read_vendor', { vendor_id: z.number(), at }, Vendor);

export const listPayables = defineFunction('admin_list_payables', { at }, Payables);

export const listVendorAccount = defineFunction(
  'admin_list_vendor_account',
  { vendor_id: z.number(), after: Cursor },
  Account,
);

export const payVendor = defineFunction(
  'admin_pay_vendor',
  {
    payment_id: z.string(),
    vendor_id: z.number(),
    owed_seen_paise: z.number(),
    amount_paise: z.number(),
    paid_on: day,
    mode: z.string(),
    reference: z.string().nullish(),
    at,
  },
  Owed,
);

export const undoVendorPayment = defineFunction('admin_undo_vendor_payment', { payment_id: z.string(), at }, Owed);
