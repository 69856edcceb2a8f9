/** What was invoiced, or credited, in a month of one HSN code at one rate. */
export type GstRow = {
  series: 'invoice' | 'credit note';
  hsn: string;
  gst_percent: number;
  kilograms: number;
  pieces: number;
  taxable_paise: number;
  cgst_paise: number;
  sgst_paise: number;
  igst_paise: number;
};

export const gstAmounts = ['taxable_paise', 'cgst_paise', 'sgst_paise', 'igst_paise'] as const;
export type GstSums = Record<(typeof gstAmounts)[number], number>;

const nothing: GstSums = { taxable_paise: 0, cgst_paise: 0, sgst_paise: 0, igst_paise: 0 };
const signOf = ({ series }: Pick<GstRow, 'series'>) => (series === 'invoice' ? 1 : -1);

/** As it stands in the table and counts in every sum: what was credited is taken off. */
export function signed(row: GstRow): GstRow {
  const sign = signOf(row);
  const turned = (value: number) => (value === 0 ? 0 : sign * value);
  return {
    ...row,
    kilograms: turned(row.kilograms),
    pieces: turned(row.pieces),
    taxable_paise: turned(row.taxable_paise),
    cgst_paise: turned(row.cgst_paise),
    sgst_paise: turned(row.sgst_paise),
    igst_paise: turned(row.igst_paise),
  };
}

/** Invoices less credit notes. */
export function netOf(rows: readonly GstRow[]): GstSums {
  return rows.map(signed).reduce<GstSums>(
    (sums, row) => ({
      taxable_paise: sums.taxable_paise + row.taxable_paise,
      cgst_paise: sums.cgst_paise + row.cgst_paise,
      sgst_paise: sums.sgst_paise + row.sgst_paise,
      igst_paise: sums.igst_paise + row.igst_paise,
    }),
    nothing,
  );
}

/** “1.5 kg, -1 piece”; nothing where there is neither. */
export function quantityOf({ kilograms, pieces }: Pick<GstRow, 'kilograms' | 'pieces'>): string {
  const parts = [
    ...(kilograms !== 0 ? [`${kilograms.toLocaleString('en-IN')} kg`] : []),
    ...(pieces !== 0 ? [`${pieces.toLocaleString('en-IN')} ${Math.abs(pieces) === 1 ? 'piece' : 'pieces'}`] : []),
  ];
  return parts.join(', ');
}

export const taxOf = (sums: GstSums): number => sums.cgst_paise + sums.sgst_paise + sums.igst_paise;
