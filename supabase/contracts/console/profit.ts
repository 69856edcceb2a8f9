// Functions of schemas/20_console/61_profit.sql: profit, closing months, GST.
import { at, day, defineFunction } from '../contract.ts';
import { z } from '../z.ts';

const paise = z.number();

export const Figures = z.object({
  orders: z.number(),
  goods_paise: paise,
  canceled_paise: paise,
  refunded_paise: paise,
  net_sales_paise: paise,
  cost_paise: paise,
  unknown_cost_lines: z.number(),
  unknown_cost_goods_paise: paise,
  unknown_back_lines: z.number(),
  unknown_back_goods_paise: paise,
  gross_profit_paise: paise,
  fee_paise: paise,
  unknown_fee_payments: z.number(),
  unknown_fee_paid_paise: paise,
  shipping_paise: paise,
  courier_paise: paise,
  wastage_paise: paise,
  unknown_wastage_moves: z.number(),
  expenses: z.record(z.string(), paise),
  expenses_paise: paise,
  profit_paise: paise,
  tax_collected_paise: paise,
  tax_spent_paise: paise,
  shipping_tax_paise: paise,
  fee_tax_paise: paise,
  discount_paise: paise,
});

/** Months that were closed before these two were counted apart. */
const ClosedFigures = Figures.partial({ shipping_tax_paise: true, fee_tax_paise: true });

export const Month = z.object({
  /** 2026-11 */
  month: z.string().transform((day) => day.slice(0, 7)),
  figures: Figures,
  /** GST on what vendors billed. */
  bill_tax_paise: paise,
  closing: z
    .object({ closed_at: z.string(), closed_by: z.string().nullable(), was: ClosedFigures.nullable() })
    .nullable(),
});
export type ProfitMonth = z.infer<typeof Month>;

export const ProfitYear = z.object({
  year: z.number(),
  first_year: z.number(),
  today: z.string(),
  months: z.array(Month),
  /** null where no month of the year has begun. */
  total: Figures.nullable(),
});
export type ProfitYear = z.infer<typeof ProfitYear>;

const GstRow = z.object({
  series: z.enum(['invoice', 'credit note']),
  hsn: z.string(),
  gst_percent: z.coerce.number(),
  kilograms: z.coerce.number(),
  pieces: z.coerce.number(),
  taxable_paise: z.number(),
  cgst_paise: z.number(),
  sgst_paise: z.number(),
  igst_paise: z.number(),
});

export const GstMonth = z.object({
  month: z.string(),
  invoices: z.number(),
  credit_notes: z.number(),
  rows: z.array(GstRow),
});
export type GstMonth = z.infer<typeof GstMonth>;

const GstYear = z.object({ year: z.number(), first_year: z.number(), months: z.array(GstMonth) });

const MonthProfit = z.object({ month: z.string(), month_before: z.string(), now: Figures, before: Figures });

export const readProfit = defineFunction('admin_read_profit', { year: z.number(), at }, ProfitYear);

export const readMonthProfit = defineFunction('admin_read_month_profit', { at }, MonthProfit);

export const closeMonth = defineFunction(
  'admin_close_month',
  { month: day, seen_profit_paise: z.number(), at },
  z.object({ month: day }),
);

export const reopenMonth = defineFunction(
  'admin_reopen_month',
  { month: day, reason: z.string(), at },
  z.object({ month: day }),
);

export const readGst = defineFunction('admin_read_gst', { year: z.number() }, GstYear);
