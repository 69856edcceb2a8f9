// The columns of invoices and credit notes, and how amounts are written in them.
import { oneLine } from '../mail/plain-text.ts';
import { formatPaiseColumn } from '../money.ts';
import type { CreditNote, Invoice, TaxLine } from './tax-document.ts';

export type Column = { title: string; align: 'left' | 'right' /** Of the width, in parts. */; width: number };

const percent = (value: number): string => `${Number(value.toFixed(3))}%`;
const paiseOf = (line: TaxLine) => line.taxable_paise + line.cgst_paise + line.sgst_paise + line.igst_paise;
/** How much it is stays on one line. */
export const described = (text: string): string =>
  oneLine(text).replace(/(\d+ × )?\d+ k?g$/, (amount) => amount.replaceAll(' ', '\u00a0'));
const sumOf = <T>(rows: readonly T[], value: (row: T) => number) => rows.reduce((sum, row) => sum + value(row), 0);

/** A column of lines, and what stands below it. */
type Cells = Column & { cell(line: TaxLine): string; foot?: number };

export function taxColumns(document: Invoice | CreditNote): Cells[] {
  const { lines, supplier, tax_kind } = document;
  const stateTax = supplier.has_assembly ? 'SGST' : 'UTGST';
  const money = (title: string, width: number, value: (line: TaxLine) => number): Cells => ({
    title,
    align: 'right',
    width,
    cell: (line) => formatPaiseColumn(value(line)),
    foot: sumOf(lines, value),
  });
  const rate = (title: string, part: number): Cells => ({
    title,
    align: 'right',
    width: 30,
    cell: ({ gst_percent }) => percent(gst_percent * part),
  });
  const taxes: Record<typeof tax_kind, Cells[]> = {
    intra: [
      money('Taxable value', 60, (line) => line.taxable_paise),
      rate('CGST %', 0.5),
      money('CGST', 46, (line) => line.cgst_paise),
      rate(`${stateTax} %`, 0.5),
      money(stateTax, 46, (line) => line.sgst_paise),
    ],
    inter: [
      money('Taxable value', 68, (line) => line.taxable_paise),
      rate('IGST %', 1),
      money('IGST', 56, (line) => line.igst_paise),
    ],
    none: [],
  };
  const isInvoice = document.kind === 'invoice';
  return [
    { title: 'Description', align: 'left', width: 140, cell: ({ description }) => described(description) },
    { title: 'HSN', align: 'left', width: 36, cell: ({ hsn }) => hsn },
    // Money alone may go back, and no goods.
    ...(lines.some(({ quantity }) => quantity !== null)
      ? [
          {
            title: 'Quantity',
            align: 'right' as const,
            width: 44,
            cell: ({ quantity, unit }: TaxLine) => (quantity === null ? '' : `${quantity} ${unit ?? ''}`.trim()),
          },
        ]
      : []),
    ...(isInvoice && tax_kind !== 'none'
      ? [
          {
            title: 'Rate',
            align: 'right' as const,
            width: 54,
            cell: ({ rate_paise }: TaxLine) => (rate_paise ? formatPaiseColumn(rate_paise) : ''),
          },
        ]
      : []),
    // Known when the goods were sold: what is taxed is what was left (section 15 of the CGST Act).
    ...(isInvoice && lines.some(({ discount_paise = 0 }) => discount_paise > 0)
      ? [
          {
            ...money('Discount', 50, ({ discount_paise = 0 }) => discount_paise),
            cell: ({ discount_paise }: TaxLine) => (discount_paise ? formatPaiseColumn(discount_paise) : ''),
          },
        ]
      : []),
    ...taxes[tax_kind],
    money('Amount', 62, paiseOf),
  ];
}
