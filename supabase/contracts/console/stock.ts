// Functions of schemas/20_console/40_stock.sql and 41_counts.sql.
import { at, Cursor, defineFunction, Filter, moment } from '../contract.ts';
import { z } from '../z.ts';

const Level = { on_hand: z.number(), reserved: z.number(), low_at: z.number() };

export const StockList = z.object({
  next: z.record(z.string(), z.unknown()).nullable(),
  count: z.number(),
  count_is_capped: z.boolean(),
  rows: z.array(
    z.object({
      product_id: z.number(),
      name: z.string(),
      category: z.string(),
      has_size: z.boolean(),
      is_listed: z.boolean(),
      is_archived: z.boolean(),
      ...Level,
      waiting: z.number(),
      cover_days: z.number().nullable(),
    }),
  ),
});
export type StockRow = z.infer<typeof StockList>['rows'][number];

export const StockSummary = z.object({ out: z.number(), low: z.number(), waiting: z.number() });

export const StockValue = z.object({ value_paise: z.number(), without_cost: z.number() });

export const Stock = z
  .object({
    product_id: z.number(),
    name: z.string(),
    category: z.string(),
    has_size: z.boolean(),
    is_listed: z.boolean(),
    is_archived: z.boolean(),
    ...Level,
    sold_per_day: z.number(),
    cover_days: z.number().nullable(),
    unit_cost_paise: z.number().nullable(),
    waiting: z.object({ people: z.number(), since: z.string().nullable() }),
    to_pack: z.number(),
    wasted: z.object({ units: z.number(), value_paise: z.number(), unknown: z.boolean() }),
    coming: z.array(
      z.object({
        purchase_id: z.number(),
        vendor: z.string(),
        expected_on: z.string().nullable(),
        quantity: z.number(),
        unit: z.enum(['kg', 'g', 'l', 'piece']),
      }),
    ),
  })
  .nullable();
export type Stock = NonNullable<z.infer<typeof Stock>>;

export const reasons = ['purchase', 'production', 'sale', 'return', 'wastage', 'count', 'replacement'] as const;
export type Reason = (typeof reasons)[number];

export const Movements = z.object({
  next: z.record(z.string(), z.unknown()).nullable(),
  rows: z.array(
    z.object({
      id: z.number(),
      product_id: z.number(),
      product: z.string(),
      has_size: z.boolean(),
      quantity: z.number(),
      reason: z.enum(reasons),
      note: z.string(),
      created_at: z.string(),
      undoes: z.number().nullable(),
      undone_by: z.number().nullable(),
      order_id: z.string().nullable(),
      order_number: z.number().nullable(),
      loss_paise: z.number().nullable(),
      by: z.string().nullable(),
      on_hand_after: z.number().nullable(),
    }),
  ),
});
export type Movement = z.infer<typeof Movements>['rows'][number];

export const Moved = z.object({ id: z.number(), on_hand: z.number() });

export const CountSheet = z.object({
  rows: z.array(
    z.object({
      product_id: z.number(),
      name: z.string(),
      category: z.string(),
      has_size: z.boolean(),
      on_hand: z.number(),
      to_pack: z.number(),
      unit_cost_paise: z.number().nullable(),
      last_counted_at: z.string().nullable(),
    }),
  ),
});
export type SheetRow = z.infer<typeof CountSheet>['rows'][number];

export const CountMoment = z.object({ on_hand: z.number(), to_pack: z.number(), at: z.string() });
export type CountMoment = z.infer<typeof CountMoment>;

export const Booked = z.object({
  counted: z.number(),
  corrected: z.number(),
  refused: z.array(z.object({ product_id: z.number(), name: z.string(), message: z.string() })),
});
export type Booked = z.infer<typeof Booked>;

export const listStock = defineFunction(
  'admin_list_stock',
  { filter: Filter.nullish(), after: Cursor, at, page_size: z.number().nullish() },
  StockList,
);

export const readStock = defineFunction('admin_read_stock', { product_id: z.number(), at }, Stock);

export const readStockSummary = defineFunction('admin_read_stock_summary', {}, StockSummary);

export const readStockValue = defineFunction('admin_read_stock_value', {}, StockValue);

export const listMovements = defineFunction(
  'admin_list_movements',
  { filter: Filter.nullish(), after: Cursor },
  Movements,
);

export const recordMovement = defineFunction(
  'admin_record_movement',
  {
    product_id: z.number(),
    reason: z.string(),
    units: z.number(),
    note: z.string().nullish(),
    at,
    entry_id: z.string().nullish(),
  },
  Moved,
);

export const undoMovement = defineFunction('admin_undo_movement', { movement_id: z.number(), at }, Moved);

export const setLowMark = defineFunction(
  'admin_set_low_mark',
  { product_id: z.number(), seen: z.number(), low_at: z.number() },
  z.object({ product_id: z.number(), low_at: z.number() }),
);

export const readCountSheet = defineFunction('admin_read_count_sheet', { category: z.string().nullish() }, CountSheet);

export const readCountMoment = defineFunction('admin_read_count_moment', { product_id: z.number() }, CountMoment);

export const applyCount = defineFunction(
  'admin_apply_count',
  {
    count_id: z.string(),
    lines: z.array(
      z.strictObject({ product_id: z.number(), counted: z.number(), expected: z.number(), counted_at: moment }),
    ),
    note: z.string().nullish(),
    at,
  },
  Booked,
);
