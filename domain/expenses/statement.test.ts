import { describe, expect, test } from 'vitest';
import {
  changedSince,
  isIncomplete,
  type ProfitFigures,
  shareOfSales,
  statementLines,
  taxLines,
  wasClosedWithTax,
} from './statement.ts';

const november: ProfitFigures = {
  orders: 120,
  goods_paise: 10_000_000,
  canceled_paise: 200_000,
  refunded_paise: 100_000,
  net_sales_paise: 9_700_000,
  cost_paise: 4_000_000,
  unknown_cost_lines: 0,
  unknown_cost_goods_paise: 0,
  unknown_back_lines: 0,
  unknown_back_goods_paise: 0,
  gross_profit_paise: 5_700_000,
  fee_paise: 240_000,
  unknown_fee_payments: 0,
  unknown_fee_paid_paise: 0,
  shipping_paise: 480_000,
  courier_paise: 600_000,
  wastage_paise: 90_000,
  unknown_wastage_moves: 0,
  expenses: { Gas: 500_000, Rent: 3_800_000 },
  expenses_paise: 4_300_000,
  profit_paise: 950_000,
  tax_collected_paise: 485_000,
  tax_spent_paise: 70_000,
  shipping_tax_paise: 24_000,
  fee_tax_paise: 43_200,
  discount_paise: 0,
};
const format = (paise: number) => `₹${paise / 100}`;
const line = (figures: ProfitFigures, key: string) => statementLines(figures, format).find((one) => one.key === key);

describe('a statement', () => {
  test('adds up: every line but the sums makes the profit', () => {
    const lines = statementLines(november, format);
    const sum = (kinds: string[]) =>
      lines.filter(({ kind }) => kinds.includes(kind)).reduce((total, { paise }) => total + paise, 0);
    expect(sum(['line'])).toBe(november.profit_paise);
    expect(sum(['part'])).toBe(-november.expenses_paise);
    expect(lines.at(-1)).toMatchObject({ label: 'Profit', kind: 'result', paise: 950_000 });
  });

  test('has the largest expenses first', () => {
    const parts = statementLines(november, format).filter(({ kind }) => kind === 'part');
    expect(parts.map(({ label }) => label)).toEqual(['Rent', 'Gas']);
  });

  test('says what is not known, and that the profit can only be less', () => {
    const unsure = { ...november, unknown_cost_lines: 3, unknown_cost_goods_paise: 120_000 };
    expect(isIncomplete(unsure)).toBe(true);
    expect(line(unsure, 'cost')?.note).toBe('no cost for goods worth ₹1200 in 3 lines');
    expect(line(unsure, 'gross_profit')?.label).toBe('Gross profit (some costs missing)');
    expect(line(unsure, 'profit')?.label).toBe('Profit (some costs missing)');
    const loss = { ...unsure, profit_paise: -5 };
    expect(line(loss, 'profit')?.label).toBe('Loss (some costs missing)');
    expect(line({ ...november, profit_paise: -5 }, 'profit')?.label).toBe('Loss');
    expect(line({ ...november, unknown_fee_payments: 1, unknown_fee_paid_paise: 50_000 }, 'fee')?.note).toBe(
      'without GST; no fee known for 1 payment worth ₹500',
    );
    expect(line({ ...november, unknown_wastage_moves: 2 }, 'wastage')?.note).toBe('no cost for 2 movements');
  });

  test('is whole again when what was not known came back', () => {
    const back = { ...november, unknown_cost_lines: 2, unknown_back_lines: 2, unknown_back_goods_paise: 80_000 };
    expect(isIncomplete(back)).toBe(false);
    expect(line(back, 'cost')?.note).toMatch(/; goods worth ₹800 with no cost were returned$/);
    expect(line(november, 'cost')?.note).toBeUndefined();
  });
});

test('a closed month says which lines changed since', () => {
  expect(changedSince(november, november)).toEqual([]);
  const now = { ...november, fee_paise: 241_234, profit_paise: 948_766, expenses: { Rent: 3_800_000, Fees: 500_000 } };
  expect(changedSince(november, now)).toEqual([
    { label: 'Payment fees', wasPaise: -240_000, isPaise: -241_234 },
    { label: 'Gas', wasPaise: -500_000, isPaise: 0 },
    { label: 'Profit', wasPaise: 950_000, isPaise: 948_766 },
    { label: 'Fees', wasPaise: 0, isPaise: -500_000 },
  ]);
});

test('GST has lines of its own: what was collected, less what was paid', () => {
  expect(taxLines(november, 10_000).map(({ label, paise }) => `${label} ${paise}`)).toEqual([
    'Collected on goods 485000',
    'Collected on shipping 24000',
    'Paid on payment fees -43200',
    'Paid in expenses -70000',
    'Paid on vendors’ bills -10000',
  ]);
});

test('a month closed before that is compared with what it said then', () => {
  const { shipping_tax_paise, fee_tax_paise, ...rest } = november;
  const was = {
    ...rest,
    shipping_paise: november.shipping_paise + shipping_tax_paise,
    fee_paise: november.fee_paise + fee_tax_paise,
  };
  expect([wasClosedWithTax(was), wasClosedWithTax(november)]).toEqual([true, false]);
  expect(changedSince(was, november)).toEqual([
    { label: 'Payment fees', wasPaise: -283_200, isPaise: -240_000 },
    { label: 'Shipping charged', wasPaise: 504_000, isPaise: 480_000 },
  ]);
});

test('a line is a part of net sales, if there were any', () => {
  expect(shareOfSales(-240_000, 9_700_000)).toBe('2.5%');
  expect(shareOfSales(4_000_000, 9_700_000)).toBe('41%');
  expect(shareOfSales(5, 0)).toBe('');
  expect(shareOfSales(5, -100)).toBe('');
});
