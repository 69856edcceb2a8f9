import type { Order, OrderLine } from './order-data.ts';

type Profit =
  | { state: 'known'; costPaise: number; profitPaise: number; percent: number }
  | { state: 'unknown'; knownCostPaise: number; unknown: string[] }
  | { state: 'none' };

/** What the goods brought over what they cost; the customer's tax and shipping are neither. */
export function grossProfit({
  status,
  sub_total_paise,
  lines,
}: Pick<Order, 'status' | 'sub_total_paise' | 'lines'>): Profit {
  if (status === 'canceled') return { state: 'none' };
  const unknown = lines.filter(({ cost_paise }) => cost_paise === null).map(({ name }) => name);
  const cost = lines.reduce((sum, line) => sum + (line.cost_paise ?? 0), 0);
  if (unknown.length > 0) return { state: 'unknown', knownCostPaise: cost, unknown: [...new Set(unknown)] };
  const profitPaise = sub_total_paise - cost;
  return { state: 'known', costPaise: cost, profitPaise, percent: Math.round((profitPaise / sub_total_paise) * 100) };
}

/** `line`: the sweet that it is given for, which its credit note then names. */
export type RefundChoice = { label: string; paise: number; line: number | null };

/** Amounts that are given back most often: all that is left, or what is left of a line with its tax. */
export function refundChoices({ lines, money, refunds }: Pick<Order, 'lines' | 'money' | 'refunds'>): RefundChoice[] {
  const left = money.refundable_paise;
  const single = lines
    .map((line) => ({ label: line.name, paise: withTax(line) - givenFor(line, refunds), line: line.id }))
    .filter(({ paise }) => paise > 0 && paise < left)
    .slice(0, 6);
  return [
    { label: money.refunded_paise + money.under_way_paise > 0 ? 'The rest' : 'Everything', paise: left, line: null },
    ...single,
  ];
}

const givenFor = ({ id }: OrderLine, refunds: Order['refunds']) =>
  refunds
    .filter(({ order_item_id, status }) => order_item_id === id && status !== 'failed')
    .reduce((sum, { amount_paise }) => sum + amount_paise, 0);
const withTax = ({ line_paise, gst_percent }: OrderLine) => line_paise + Math.round((line_paise * gst_percent) / 100);

export const weightOf = (lines: readonly OrderLine[]) => lines.reduce((sum, { grams }) => sum + grams, 0);
