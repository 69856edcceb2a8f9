/** The lines of a profit and loss, as calculated by private.profit_and_loss. */
export type ProfitFigures = {
  orders: number;
  goods_paise: number;
  canceled_paise: number;
  refunded_paise: number;
  net_sales_paise: number;
  cost_paise: number;
  unknown_cost_lines: number;
  unknown_cost_goods_paise: number;
  unknown_back_lines: number;
  unknown_back_goods_paise: number;
  gross_profit_paise: number;
  fee_paise: number;
  unknown_fee_payments: number;
  unknown_fee_paid_paise: number;
  shipping_paise: number;
  courier_paise: number;
  wastage_paise: number;
  unknown_wastage_moves: number;
  expenses: Record<string, number>;
  expenses_paise: number;
  profit_paise: number;
  tax_collected_paise: number;
  tax_spent_paise: number;
  shipping_tax_paise: number;
  fee_tax_paise: number;
  discount_paise: number;
};

/** Profit and loss once counted shipping and fees with their GST; a month closed then has neither of these figures. */
export type ClosedFigures = Omit<ProfitFigures, 'shipping_tax_paise' | 'fee_tax_paise'> &
  Partial<Pick<ProfitFigures, 'shipping_tax_paise' | 'fee_tax_paise'>>;

export type StatementLine = {
  key: string;
  label: string;
  /** As it changes the profit: costs below nothing. */
  paise: number;
  kind: 'line' | 'part' | 'sum' | 'result';
  /** What is not known, or what the line is made of. */
  note?: string;
};

type Format = (paise: number) => string;

/** Never minus nothing. */
const less = (paise: number) => 0 - paise;

const counted = (count: number, one: string, many: string) =>
  `${count.toLocaleString('en-IN')} ${Math.abs(count) === 1 ? one : many}`;

/** Whether something in it is not known: then the profit can only be less. */
export function isIncomplete(figures: ClosedFigures): boolean {
  return (
    figures.unknown_cost_lines > figures.unknown_back_lines ||
    figures.unknown_fee_payments > 0 ||
    figures.unknown_wastage_moves > 0
  );
}

export function statementLines(figures: ClosedFigures, format: Format): StatementLine[] {
  const someMissing = isIncomplete(figures) ? ' (some costs missing)' : '';
  const categories = Object.entries(figures.expenses).sort(([, one], [, other]) => other - one);
  return [
    {
      key: 'goods',
      label: 'Goods sold',
      paise: figures.goods_paise,
      kind: 'line',
      note: `${counted(figures.orders, 'order', 'orders')}, without tax and shipping`,
    },
    ...(figures.discount_paise === 0
      ? []
      : [
          {
            key: 'discount',
            label: 'Discounts',
            paise: less(figures.discount_paise),
            kind: 'line' as const,
            note: 'offers',
          },
        ]),
    { key: 'canceled', label: 'Cancelled orders', paise: less(figures.canceled_paise), kind: 'line' },
    { key: 'refunded', label: 'Refunds', paise: less(figures.refunded_paise), kind: 'line' },
    { key: 'net_sales', label: 'Net sales', paise: figures.net_sales_paise, kind: 'sum' },
    {
      key: 'cost',
      label: 'Cost of goods',
      paise: less(figures.cost_paise),
      kind: 'line',
      ...noted(unknownCost(figures, format)),
    },
    { key: 'gross_profit', label: `Gross profit${someMissing}`, paise: figures.gross_profit_paise, kind: 'sum' },
    {
      key: 'fee',
      label: 'Payment fees',
      paise: less(figures.fee_paise),
      kind: 'line',
      note: [
        'without GST',
        figures.unknown_fee_payments > 0 &&
          `no fee known for ${counted(figures.unknown_fee_payments, 'payment', 'payments')} worth ${format(figures.unknown_fee_paid_paise)}`,
      ]
        .filter(Boolean)
        .join('; '),
    },
    {
      key: 'shipping',
      label: 'Shipping charged',
      paise: figures.shipping_paise,
      kind: 'line',
      note: 'without GST',
    },
    {
      key: 'courier',
      label: 'Couriers',
      paise: less(figures.courier_paise),
      kind: 'line',
      note: 'expenses for Delivery',
    },
    {
      key: 'wastage',
      label: 'Wastage and replacements',
      paise: less(figures.wastage_paise),
      kind: 'line',
      ...noted(
        figures.unknown_wastage_moves > 0 &&
          `no cost for ${counted(figures.unknown_wastage_moves, 'movement', 'movements')}`,
      ),
    },
    {
      key: 'expenses',
      label: 'Expenses',
      paise: less(figures.expenses_paise),
      kind: 'line',
      note: 'without their GST',
    },
    ...categories.map(([name, paise]): StatementLine => ({ key: name, label: name, paise: less(paise), kind: 'part' })),
    {
      key: 'profit',
      label: figures.profit_paise < 0 ? `Loss${someMissing}` : `Profit${someMissing}`,
      paise: figures.profit_paise,
      kind: 'result',
    },
  ];
}

function unknownCost(figures: ClosedFigures, format: Format): string | false {
  const placed =
    figures.unknown_cost_lines > 0 &&
    `no cost for goods worth ${format(figures.unknown_cost_goods_paise)} in ${counted(figures.unknown_cost_lines, 'line', 'lines')}`;
  const back =
    figures.unknown_back_lines > 0 &&
    `goods worth ${format(figures.unknown_back_goods_paise)} with no cost were returned`;
  return [placed, back].filter(Boolean).join('; ') || false;
}

const noted = (note: string | false) => (note ? { note } : {});

export type ChangedLine = { label: string; wasPaise: number; isPaise: number };

/** Lines of a closed month that have changed since it was closed. */
export function changedSince(was: ClosedFigures, is: ProfitFigures): ChangedLine[] {
  const none: Format = () => '';
  const before = new Map(statementLines(was, none).map((line) => [line.key, line]));
  const after = new Map(statementLines(is, none).map((line) => [line.key, line]));
  return [...new Set([...before.keys(), ...after.keys()])].flatMap((key) => {
    const [then, now] = [before.get(key), after.get(key)];
    const [wasPaise, isPaise] = [then?.paise ?? 0, now?.paise ?? 0];
    const label = (now ?? then)?.label ?? key;
    return wasPaise === isPaise ? [] : [{ label, wasPaise, isPaise }];
  });
}

export type TaxLine = { label: string; paise: number };

/** The GST that is in no line of the statement: collected for the state, and paid, which is set against it. */
export function taxLines(figures: ProfitFigures, billTaxPaise: number): TaxLine[] {
  return [
    { label: 'Collected on goods', paise: figures.tax_collected_paise },
    { label: 'Collected on shipping', paise: figures.shipping_tax_paise },
    { label: 'Paid on payment fees', paise: less(figures.fee_tax_paise) },
    { label: 'Paid in expenses', paise: less(figures.tax_spent_paise) },
    { label: 'Paid on vendors’ bills', paise: less(billTaxPaise) },
  ];
}

/** Whether a month was closed while shipping and fees still counted with their GST. */
export const wasClosedWithTax = (was: ClosedFigures): boolean => was.shipping_tax_paise === undefined;

/** As a part of net sales: 12.5%. Empty where there were none. */
export function shareOfSales(paise: number, netSalesPaise: number): string {
  if (netSalesPaise <= 0) return '';
  const percent = (Math.abs(paise) * 100) / netSalesPaise;
  return `${percent < 10 ? percent.toFixed(1) : Math.round(percent).toLocaleString('en-IN')}%`;
}
