import { z } from 'zod';
import { purchaseStatuses } from '#domain/purchases/status.ts';
import { purchaseUnits } from '#domain/purchases/units.ts';

// What the requests about vendors and purchases answer.

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

export const PurchaseList = z.object({
  next: z.record(z.string(), z.unknown()).nullable(),
  count: z.number(),
  count_is_capped: z.boolean(),
  rows: z.array(
    z.object({
      id: z.number(),
      vendor_id: z.number(),
      vendor: z.string(),
      status: z.enum(purchaseStatuses),
      created_at: z.string(),
      ordered_at: z.string().nullable(),
      expected_on: z.string().nullable(),
      total_paise: z.number(),
      lines: z.number(),
      things: z.string().nullable(),
      is_short: z.boolean(),
      has_come: z.boolean(),
    }),
  ),
});
export type PurchaseRow = z.infer<typeof PurchaseList>['rows'][number];

const LastPrice = z
  .object({
    unit_cost_paise: z.number(),
    unit: z.enum(purchaseUnits),
    gst_percent: z.number(),
    vendor: z.string(),
    ordered_at: z.string(),
  })
  .nullable();
export type LastPrice = z.infer<typeof LastPrice>;

const Line = z.object({
  id: z.number(),
  item_name: z.string(),
  unit: z.enum(purchaseUnits),
  quantity: z.number(),
  received_quantity: z.number(),
  unit_cost_paise: z.number(),
  gst_percent: z.number(),
  last_price: LastPrice,
  product: z.object({ id: z.number(), has_size: z.boolean(), unit_cost_paise: z.number().nullable() }).nullable(),
});
export type Line = z.infer<typeof Line>;

const Receipt = z.object({
  id: z.string(),
  received_at: z.string(),
  undone_at: z.string().nullable(),
  by: z.string().nullable(),
  bill: z
    .object({
      bill_number: z.string(),
      billed_on: z.string(),
      due_on: z.string(),
      adjustment_paise: z.number(),
      amount_paise: z.number(),
    })
    .nullable(),
  lines: z.array(z.object({ item_id: z.number(), quantity: z.number(), sets_cost: z.boolean() })),
});
export type Receipt = z.infer<typeof Receipt>;

export const Purchase = z
  .object({
    id: z.number(),
    status: z.enum(purchaseStatuses),
    created_at: z.string(),
    ordered_at: z.string().nullable(),
    expected_on: z.string().nullable(),
    notes: z.string(),
    updated_at: z.string(),
    vendor: z.object({
      id: z.number(),
      name: z.string(),
      contact_name: z.string(),
      phone: z.string(),
      gstin: z.string(),
      payment_terms_days: z.number(),
    }),
    lines: z.array(Line),
    receipts: z.array(Receipt),
  })
  .nullable();
export type Purchase = NonNullable<z.infer<typeof Purchase>>;

export const FoundItems = z.array(
  z.object({
    name: z.string(),
    product_id: z.number().nullable(),
    has_size: z.boolean().nullable(),
    last_price: LastPrice,
  }),
);
export type FoundItem = z.infer<typeof FoundItems>[number];

export const BoughtItems = z.object({
  rows: z.array(
    z.object({
      item_name: z.string(),
      unit: z.enum(purchaseUnits),
      times: z.number(),
      last_ordered_at: z.string(),
      last_vendor: z.string(),
      last_paise: z.number(),
      before_paise: z.number().nullable(),
    }),
  ),
});
export type BoughtItem = z.infer<typeof BoughtItems>['rows'][number];

export const ItemPrices = z.object({
  rows: z.array(
    z.object({
      id: z.number(),
      purchase_id: z.number(),
      ordered_at: z.string(),
      vendor_id: z.number(),
      vendor: z.string(),
      quantity: z.number(),
      unit: z.enum(purchaseUnits),
      unit_cost_paise: z.number(),
      compared_unit: z.enum(purchaseUnits),
      compared_paise: z.number(),
    }),
  ),
});
export type ItemPrice = z.infer<typeof ItemPrices>['rows'][number];

export const Saved = z.object({ id: z.number(), updated_at: z.string() });

/** A number of ours in an address; null for anything else. */
export const idFrom = (text: string | null | undefined): number | null =>
  text && /^\d{1,12}$/.test(text) ? Number(text) : null;
