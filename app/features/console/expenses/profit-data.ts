import { z } from 'zod';

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
});
/** Months that were closed before these two were counted apart. */
const ClosedFigures = Figures.partial({ shipping_tax_paise: true, fee_tax_paise: true });

const Month = z.object({
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

/** A month that is not over yet cannot be closed. */
export const isOver = (month: string, today: string): boolean => month < today.slice(0, 7);
