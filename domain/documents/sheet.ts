// The content and columns of a document; the layout is adapters/pdf.
import { amountLabels, offerRow } from '../checkout/amount-labels.ts';
import { oneLine } from '../mail/plain-text.ts';
import { formatPaiseColumn } from '../money.ts';
import { readablePhone } from '../shop/shop-facts.ts';
import { formatDay, instantFrom } from '../time.ts';
import { amountInWords } from './amount-in-words.ts';
import { type Column, described, taxColumns } from './tax-columns.ts';
import type { Charged, CreditNote, Invoice, Receipt, Recipient, Supplier, TaxDocument } from './tax-document.ts';

export type Fact = { label: string; value: string };
export type Party = { heading: string; name: string; lines: string[] };

export type Sheet = {
  title: string;
  /** Stands under the title, in red. */
  warning: string | null;
  shop: string;
  facts: Fact[];
  parties: Party[];
  columns: Column[];
  rows: string[][];
  /** The columns added up; none where the sums below say it. */
  foot: string[];
  sums: Fact[];
  total: Fact;
  words: string;
  notes: string[];
  signature: string | null;
  /** On every page. */
  imprint: string;
  issuedAt: Date;
};

export function sheetOf(document: TaxDocument): Sheet {
  return document.kind === 'receipt' ? receiptSheet(document) : taxSheet(document);
}

const day = (moment: string): string => {
  const instant = instantFrom(moment);
  return instant ? formatDay(instant) : '';
};

function taxSheet(document: Invoice | CreditNote): Sheet {
  const { supplier, tax_kind } = document;
  const columns = taxColumns(document);
  const isCredit = document.kind === 'credit note';
  const stateTax = supplier.has_assembly ? 'SGST' : 'UTGST';
  const sums: Record<typeof tax_kind, Fact[]> = {
    intra: [
      { label: 'Taxable value', value: money(document.taxable_paise) },
      { label: 'CGST', value: money(document.cgst_paise) },
      { label: stateTax, value: money(document.sgst_paise) },
    ],
    inter: [
      { label: 'Taxable value', value: money(document.taxable_paise) },
      { label: 'IGST', value: money(document.igst_paise) },
    ],
    none: [],
  };
  return {
    title: isCredit ? 'Credit note' : invoiceTitle(document),
    warning: null,
    shop: oneLine(supplier.name),
    facts: [
      { label: isCredit ? 'Credit note no.' : 'Invoice no.', value: document.number },
      { label: 'Date', value: day(document.issued_at) },
      ...(isCredit
        ? [
            { label: 'For invoice', value: document.invoice.number },
            { label: 'Invoice date', value: day(document.invoice.issued_at) },
          ]
        : []),
      { label: 'Order', value: `${document.order_number}, ${day(document.placed_at)}` },
      ...(document.place_of_supply
        ? [{ label: 'Place of supply', value: `${document.place_of_supply.name} (${document.place_of_supply.code})` }]
        : []),
    ],
    parties: [
      sellerOf(supplier),
      buyerOf(document.recipient, document.is_collected, document.is_collected ? 'Sold to' : 'Sold and delivered to'),
    ],
    columns,
    rows: document.lines.map((line) => columns.map(({ cell }) => cell(line))),
    foot: columns.map(({ foot }, place) => (place === 0 ? 'Total' : foot === undefined ? '' : formatPaiseColumn(foot))),
    sums: sums[tax_kind],
    total: { label: isCredit ? 'Total credited' : 'Total', value: money(document.total_paise) },
    words: amountInWords(document.total_paise),
    notes: [
      ...(isCredit
        ? [
            document.is_refund
              ? `Refund against invoice ${document.invoice.number}.`
              : `Invoice ${document.invoice.number} was cancelled.`,
          ]
        : []),
      ...(tax_kind === 'none'
        ? ['The seller is not registered under GST. No tax is charged.']
        : ['Tax payable on reverse charge: No.']),
      ...(document.kind === 'invoice' ? [...offerNotes(document.charged), ...chargedNotes(document)] : []),
    ],
    signature: `For ${oneLine(supplier.legal_name)}`,
    imprint: imprintOf(supplier),
    issuedAt: instantFrom(document.issued_at) ?? new Date(0),
  };
}

/** The same amounts as the checkout, the order history and messages split them. */
function chargedNotes({ charged, tax_kind, cgst_paise, sgst_paise, igst_paise }: Invoice): string[] {
  if (tax_kind === 'none' || charged.tax_paise + charged.shipping_tax_paise === 0) return [];
  const split = [
    `${amountLabels.subtotal} ${money(charged.sub_total_paise)}`,
    ...(charged.discount_paise > 0 ? [`Discount −${money(charged.discount_paise)}`] : []),
    `${amountLabels.tax} ${money(charged.tax_paise)}`,
    `${amountLabels.shipping(charged.shipping_tax_paise)} ${money(charged.shipping_paise)}`,
  ];
  const hasOddPaise = charged.tax_paise + charged.shipping_tax_paise !== cgst_paise + sgst_paise + igst_paise;
  return [
    `As charged: ${split.join(', ')}.`,
    ...(hasOddPaise
      ? ['CGST and SGST/UTGST are equal halves: an odd paisa of GST is included in the taxable value.']
      : []),
  ];
}

const offerNotes = ({ offers }: Pick<Charged, 'offers'>): string[] =>
  offers === '' ? [] : [`Offers in this invoice: ${oneLine(offers)}.`];

/** What bears no tax is no tax invoice. */
function invoiceTitle({ tax_kind, taxable_paise, total_paise }: Invoice): string {
  if (tax_kind === 'none') return 'Invoice';
  return total_paise > taxable_paise ? 'Tax invoice' : 'Bill of supply';
}

const money = (amount: number): string => `₹${formatPaiseColumn(amount)}`;

const payments: Record<string, string> = {
  unpaid: 'Not paid yet',
  paid: 'Paid online',
  paid_offline: 'Paid',
  refund_pending: 'Refund on its way',
  partially_refunded: 'Paid, partly refunded',
  refunded: 'Refunded',
  refund_failed: 'Refund on its way',
};

function receiptSheet(document: Receipt): Sheet {
  const columns: Column[] = [
    { title: 'Description', align: 'left', width: 260 },
    { title: 'Quantity', align: 'right', width: 60 },
    { title: 'Price', align: 'right', width: 80 },
    { title: 'Amount', align: 'right', width: 80 },
  ];
  return {
    title: 'Order receipt',
    warning: 'This is not a tax invoice.',
    shop: oneLine(document.supplier.name),
    facts: [
      { label: 'Order', value: String(document.order_number) },
      { label: 'Placed', value: day(document.placed_at) },
      { label: 'Payment', value: payments[document.payment_status] ?? '' },
      ...(document.is_canceled ? [{ label: 'Status', value: 'Cancelled' }] : []),
    ],
    parties: [
      sellerOf(document.supplier),
      buyerOf(document.recipient, document.is_collected, document.is_collected ? 'For' : 'Deliver to'),
    ],
    columns,
    rows: document.lines.map((line) => [
      described(line.description),
      String(line.quantity),
      formatPaiseColumn(line.rate_paise),
      formatPaiseColumn(line.line_paise),
    ]),
    foot: [],
    sums: [
      { label: amountLabels.subtotal, value: money(document.sub_total_paise) },
      ...offerFacts(document),
      { label: amountLabels.tax, value: money(document.tax_paise) },
      { label: amountLabels.shipping(document.shipping_tax_paise), value: money(document.shipping_paise) },
    ],
    total: { label: 'Total', value: money(document.total_paise) },
    words: amountInWords(document.total_paise),
    notes: document.is_canceled
      ? ['This order was cancelled.']
      : ['Your invoice is issued when your order is packed. You will find it in your order history.'],
    signature: null,
    imprint: imprintOf(document.supplier),
    issuedAt: instantFrom(document.issued_at) ?? new Date(0),
  };
}

function offerFacts({ discount_paise, offers }: Charged): Fact[] {
  const row = offerRow(discount_paise, oneLine(offers));
  return row ? [row] : [];
}

function sellerOf(supplier: Supplier): Party {
  const { gstin, fssai_number, state, state_code } = supplier;
  return {
    heading: 'Sold by',
    name: oneLine(supplier.legal_name),
    lines: [
      oneLine(supplier.address),
      [oneLine(state), state_code && `(${state_code})`].filter(Boolean).join(' '),
      gstin && `GSTIN ${gstin}`,
      fssai_number && `FSSAI ${fssai_number}`,
    ].filter((line) => line !== ''),
  };
}

function buyerOf(recipient: Recipient, isCollected: boolean, heading: string): Party {
  const { building_no, street, city, state, zip } = recipient;
  const address = [
    [building_no, street].map(oneLine).filter(Boolean).join(', '),
    [oneLine(city), zip].filter(Boolean).join(' '),
    oneLine(state),
  ].filter((line) => line !== '');
  return {
    heading,
    name: oneLine(recipient.name),
    lines: isCollected ? [...address, 'Collected at the shop'] : address,
  };
}

function imprintOf({ name, email, phone }: Supplier): string {
  return [name, email, readablePhone(phone)].map(oneLine).filter(Boolean).join(' · ');
}
