// Functions of schemas/20_console/50_purchases.sql and 52_read_purchases.sql. `seen` is the purchase’s updated_at.
import { purchaseStatuses } from '../../../domain/purchases/status.ts';
import { purchaseUnits } from '../../../domain/purchases/units.ts';
import { at, Cursor, day, defineFunction, Filter, moment, nothing } from '../contract.ts';
import { z } from '../z.ts';

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

const Moved = Saved.extend({ status: z.enum(purchaseStatuses) });

export const listPurchases = defineFunction(
  'admin_list_purchases',
  { filter: Filter.nullish(), after: Cursor },
  PurchaseList,
);

export const readPurchase = defineFunction('admin_read_purchase', { purchase_id: z.number() }, Purchase);

export const savePurchase = defineFunction(
  'admin_save_purchase',
  {
    purchase_id: z.number().nullable(),
    seen: moment.nullable(),
    vendor_id: z.number(),
    expected_on: day.nullable(),
    notes: z.string(),
    lines: z.array(z.record(z.string(), z.unknown())),
    at,
    entry_id: z.string().nullish(),
  },
  Saved,
);

export const notePurchase = defineFunction(
  'admin_save_purchase_note',
  { purchase_id: z.number(), seen: moment, expected_on: day.nullable(), notes: z.string() },
  Saved,
);

export const movePurchase = defineFunction(
  'admin_move_purchase',
  { purchase_id: z.number(), seen: moment, to_status: z.string(), at },
  Moved,
);

export const receivePurchase = defineFunction(
  'admin_receive_purchase',
  {
    receipt_id: z.string(),
    purchase_id: z.number(),
    seen: moment,
    lines: z.array(z.record(z.string(), z.unknown())),
    billed_on: day.nullish(),
    bill_number: z.string().nullish(),
    adjustment_paise: z.number().nullish(),
    allow_more: z.boolean().nullish(),
    at,
  },
  Moved,
);

export const undoReceipt = defineFunction('admin_undo_receipt', { receipt_id: z.string(), seen: moment, at }, Moved);

export const deletePurchase = defineFunction(
  'admin_delete_purchase',
  { purchase_id: z.number(), seen: moment },
  nothing,
);

export const findItems = defineFunction(
  'admin_find_items',
  { search: z.string(), vendor_id: z.number().nullish() },
  FoundItems,
);

export const listBoughtItems = defineFunction(
  'admin_list_bought_items',
  { vendor_id: z.number().nullish(), search: z.string().nullish() },
  BoughtItems,
);

export const readItemPrices = defineFunction('admin_read_item_prices', { item_name: z.string() }, ItemPrices);
