// Tax documents and receipts as the database freezes or tells them (see read_document). Amounts are whole paise.

export type Supplier = {
  name: string;
  legal_name: string;
  address: string;
  state: string;
  state_code: string | null;
  /** Without an assembly, the territory's half of the tax is UTGST. */
  has_assembly: boolean;
  gstin: string;
  fssai_number: string;
  email: string;
  phone: string;
};

export type Recipient = {
  name: string;
  building_no: string;
  street: string;
  city: string;
  state: string;
  zip: string;
};

export type TaxLine = {
  description: string;
  hsn: string;
  quantity: number | null;
  unit: string | null;
  rate_paise?: number | null | undefined;
  /** Taken off the line before tax; left out: nothing. */
  discount_paise?: number | undefined;
  gst_percent: number;
  taxable_paise: number;
  cgst_paise: number;
  sgst_paise: number;
  igst_paise: number;
};

type Headed = {
  number: string;
  issued_at: string;
  order_number: number;
  placed_at: string;
  is_collected: boolean;
  supplier: Supplier;
  recipient: Recipient;
  total_paise: number;
};

type Taxed = Headed & {
  place_of_supply: { code: string; name: string } | null;
  /** CGST and SGST, IGST, or a shop outside GST. */
  tax_kind: 'intra' | 'inter' | 'none';
  lines: TaxLine[];
  taxable_paise: number;
  cgst_paise: number;
  sgst_paise: number;
  igst_paise: number;
};

/** The amounts charged at checkout; shipping includes its GST. */
export type Charged = {
  sub_total_paise: number;
  /** What offers took off the goods before tax, and their names; none: 0 and empty. */
  discount_paise: number;
  offers: string;
  tax_paise: number;
  shipping_paise: number;
  shipping_tax_paise: number;
};

export type Invoice = Taxed & { kind: 'invoice'; charged: Charged };

export type CreditNote = Taxed & {
  kind: 'credit note';
  invoice: { number: string; issued_at: string };
  /** Money went back; otherwise the order was called off, unpaid or paid by hand. */
  is_refund: boolean;
};

export type Receipt = Headed & {
  kind: 'receipt';
  payment_status: string;
  is_canceled: boolean;
  lines: { description: string; quantity: number; rate_paise: number; line_paise: number }[];
} & Charged;

export type TaxDocument = Invoice | CreditNote | Receipt;

const kindWords = { invoice: 'invoice', 'credit note': 'credit-note', receipt: 'receipt' } as const;

/** invoice-MTH-26-27-00001.pdf: a number has slashes, which no file name can have. */
export function documentFileName({ kind, number }: { kind: TaxDocument['kind']; number: string }): string {
  return `${kindWords[kind]}-${number.replaceAll(/[^A-Za-z0-9]+/g, '-')}.pdf`;
}
