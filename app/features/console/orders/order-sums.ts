import type { Order, OrderLine } from '#contracts/console/order.ts';

type Profit =
  | { state: 'known'; costPaise: number; profitPaise: number; percent: number }
  | { state: 'unknown'; knownCostPaise: number; unknown: string[] }
  | { state: 'none'; because: 'canceled' | 'refunded' };

/** What the goods brought over what they cost; the customer's tax and shipping are neither. */
export function grossProfit({
  status,
  sub_total_paise,
  discount_paise,
  lines,
  money,
}: Pick<Order, 'status' | 'sub_total_paise' | 'discount_paise' | 'lines' | 'money'>): Profit {
  if (status === 'canceled') return { state: 'none', because: 'canceled' };
  if (status === 'Refunded' || isFullyRefunded(money)) return { state: 'none', because: 'refunded' };
  const unknown = lines.filter(({ cost_paise }) => cost_paise === null).map(({ name }) => name);
  const cost = lines.reduce((sum, line) => sum + (line.cost_paise ?? 0), 0);
  if (unknown.length > 0) return { state: 'unknown', knownCostPaise: cost, unknown: [...new Set(unknown)] };
  const soldPaise = sub_total_paise - discount_paise;
  const profitPaise = soldPaise - cost;
  return { state: 'known', costPaise: cost, profitPaise, percent: Math.round((profitPaise / soldPaise) * 100) };
}

/** Also where the last of it is still on its way. */
export const isFullyRefunded = ({ paid_paise, refunded_paise, under_way_paise }: Order['money']): boolean =>
  paid_paise > 0 && refunded_paise + under_way_paise >= paid_paise;

/** `line`: the sweet that it is given for, which its credit note then names. */
export type RefundChoice = { label: string; paise: number; line: number | null };

/** Amounts that are given back most often: all that is left, or what is left of a line with its tax. */
export function refundChoices({
  lines,
  money,
  refundable_lines,
}: Pick<Order, 'lines' | 'money' | 'refundable_lines'>): RefundChoice[] {
  const left = money.refundable_paise;
  const ofLine = new Map(refundable_lines.map(({ order_item_id, paise }) => [order_item_id, paise]));
  const single = lines
    .map(({ id, name }) => ({ label: name, paise: ofLine.get(id) ?? 0, line: id }))
    .filter(({ paise }) => paise > 0 && paise < left)
    .slice(0, 6);
  return [
    { label: money.refunded_paise + money.under_way_paise > 0 ? 'The rest' : 'Everything', paise: left, line: null },
    ...single,
  ];
}

/** The amount to collect on handover; null if nothing is due. */
export const toCollect = ({
  status,
  payment_status,
  total_paise,
}: Pick<Order, 'status' | 'payment_status' | 'total_paise'>): number | null =>
  payment_status === 'unpaid' && status !== 'canceled' && status !== 'Refunded' ? total_paise : null;

export const weightOf = (lines: readonly OrderLine[]) => lines.reduce((sum, { grams }) => sum + grams, 0);
