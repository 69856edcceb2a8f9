import { expect, test } from 'vitest';
import { sheetOf } from './sheet.ts';
import { documentFileName, type Invoice, type Receipt } from './tax-document.ts';

const invoice: Invoice = {
  kind: 'invoice',
  number: 'MTH/26-27/00001',
  issued_at: '2026-11-16T18:45:00+00:00',
  order_number: 1042,
  placed_at: '2026-11-15T04:01:00+00:00',
  is_collected: false,
  supplier: {
    name: 'Mithaas',
    legal_name: 'Mithaas Sweets Private Limited',
    address: 'Ranade Road, Mumbai 400028',
    state: 'Maharashtra',
    state_code: '27',
    has_assembly: true,
    gstin: '27AAAAA0000A1Z5',
    fssai_number: '10000000000001',
    email: 'hello@mithaas.example',
    phone: '+919000000000',
  },
  recipient: { name: 'Asha Rao', building_no: '4B', street: 'Hill Road', city: 'Pune', state: 'MH', zip: '411001' },
  place_of_supply: { code: '27', name: 'Maharashtra' },
  tax_kind: 'intra',
  lines: [
    {
      description: 'Besan Laddu, 2 × 500 g',
      hsn: '2106',
      quantity: 1,
      unit: 'kg',
      rate_paise: 1_23_456_00,
      gst_percent: 5,
      taxable_paise: 1_23_456_00,
      cgst_paise: 3_086_40,
      sgst_paise: 3_086_40,
      igst_paise: 0,
    },
    {
      description: 'Delivery',
      hsn: '2106',
      quantity: null,
      unit: null,
      rate_paise: null,
      gst_percent: 5,
      taxable_paise: 3810,
      cgst_paise: 95,
      sgst_paise: 95,
      igst_paise: 0,
    },
  ],
  taxable_paise: 1_23_494_10,
  cgst_paise: 3_087_35,
  sgst_paise: 3_087_35,
  igst_paise: 0,
  total_paise: 1_29_668_80,
  charged: {
    sub_total_paise: 1_23_456_00,
    discount_paise: 0,
    offers: '',
    tax_paise: 6_172_80,
    shipping_paise: 4000,
    shipping_tax_paise: 190,
  },
};
const titles = (document: Invoice) => sheetOf(document).columns.map(({ title }) => title);

test('inside the state the tax stands in two columns, outside in one, without a GSTIN in none', () => {
  expect(titles(invoice)).toEqual([
    'Description',
    'HSN',
    'Quantity',
    'Rate',
    'Taxable value',
    'CGST %',
    'CGST',
    'SGST %',
    'SGST',
    'Amount',
  ]);
  expect(titles({ ...invoice, tax_kind: 'inter' })).toEqual([
    'Description',
    'HSN',
    'Quantity',
    'Rate',
    'Taxable value',
    'IGST %',
    'IGST',
    'Amount',
  ]);
  expect(titles({ ...invoice, tax_kind: 'none' })).toEqual(['Description', 'HSN', 'Quantity', 'Amount']);
  const ladakh = { ...invoice, supplier: { ...invoice.supplier, has_assembly: false } };
  expect(titles(ladakh)).toContain('UTGST');
  expect(sheetOf(ladakh).sums.map(({ label }) => label)).toEqual(['Taxable value', 'CGST', 'UTGST']);
});

test('a credit note has quantities where goods came back, and no empty column where only money did', () => {
  const note = {
    ...invoice,
    kind: 'credit note' as const,
    invoice: { number: invoice.number, issued_at: invoice.issued_at },
    is_refund: true,
  };
  expect(sheetOf(note).columns.map(({ title }) => title)).toContain('Quantity');
  const money = { ...note, lines: note.lines.map((line) => ({ ...line, quantity: null })) };
  const { columns, rows, foot } = sheetOf(money);
  expect(columns.map(({ title }) => title)).not.toContain('Quantity');
  expect([...rows, foot].map(({ length }) => length)).toEqual([columns.length, columns.length, columns.length]);
});

test('cells are written as people in India write them', () => {
  const { rows, foot, total, words, facts } = sheetOf(invoice);
  expect(rows[0]?.slice(1)).toEqual([
    '2106',
    '1 kg',
    '1,23,456.00',
    '1,23,456.00',
    '2.5%',
    '3,086.40',
    '2.5%',
    '3,086.40',
    '1,29,628.80',
  ]);
  expect(rows[1]?.slice(2, 5)).toEqual(['', '', '38.10']);
  expect(foot.at(-1)).toBe('1,29,668.80');
  expect(total.value).toBe('₹1,29,668.80');
  expect(words).toBe('Rupees one lakh twenty-nine thousand six hundred sixty-eight and paise eighty only');
  // The day in India, not in Greenwich.
  expect(facts).toContainEqual({ label: 'Date', value: '17 Nov 2026' });
  expect(facts).toContainEqual({ label: 'Place of supply', value: 'Maharashtra (27)' });
});

test('every page names the shop and how to reach it', () => {
  expect(sheetOf(invoice).imprint).toBe('Mithaas · hello@mithaas.example · +91 90000 00000');
});

test('the title says what the law calls it', () => {
  expect(sheetOf(invoice).title).toBe('Tax invoice');
  expect(sheetOf({ ...invoice, total_paise: invoice.taxable_paise }).title).toBe('Bill of supply');
  expect(sheetOf({ ...invoice, tax_kind: 'none' })).toMatchObject({
    title: 'Invoice',
    notes: ['The seller is not registered under GST. No tax is charged.'],
  });
  expect(
    sheetOf({
      ...invoice,
      kind: 'credit note',
      number: 'MTC/26-27/00001',
      invoice: { number: 'MTH/26-27/00001', issued_at: invoice.issued_at },
      is_refund: false,
    }),
  ).toMatchObject({
    title: 'Credit note',
    notes: ['Invoice MTH/26-27/00001 was cancelled.', expect.anything()],
  });
});

test('what is collected names no address but the shop’s', () => {
  const [, buyer] = sheetOf({
    ...invoice,
    is_collected: true,
    recipient: { name: 'Asha', building_no: '', street: '', city: '', state: '', zip: '' },
  }).parties;
  expect(buyer).toEqual({ heading: 'Sold to', name: 'Asha', lines: ['Collected at the shop'] });
});

test('an invoice says what was charged in the words of the checkout, and where an odd paisa went', () => {
  const asCharged =
    'As charged: Subtotal ₹1,23,456.00, Tax (GST on items) ₹6,172.80, Shipping charge (incl. GST ₹1.90) ₹40.00.';
  expect(sheetOf(invoice).notes).toEqual(['Tax payable on reverse charge: No.', asCharged]);
  const odd = { ...invoice, charged: { ...invoice.charged, tax_paise: 6_172_81 } };
  expect(sheetOf(odd).notes.at(-1)).toMatch(/an odd paisa of GST is included in the taxable value/);
  expect(sheetOf({ ...invoice, tax_kind: 'none' }).notes).toHaveLength(1);
});

test('an invoice shows the discount of each line before its taxable value, and names the offer', () => {
  const [line] = invoice.lines;
  if (!line) throw new Error('the invoice has no line');
  const discounted: Invoice = {
    ...invoice,
    lines: [{ ...line, discount_paise: 5_000 }, ...invoice.lines.slice(1)],
    charged: { ...invoice.charged, discount_paise: 5_000, offers: 'Welcome (WELCOME50)' },
  };
  const { columns, rows, notes } = sheetOf(discounted);
  const place = columns.findIndex(({ title }) => title === 'Discount');
  expect(columns[place + 1]?.title).toBe('Taxable value');
  expect(rows[0]?.[place]).toBe('50.00');
  expect(notes[1]).toBe('Offers in this invoice: Welcome (WELCOME50).');
  expect(notes[2]).toContain('Subtotal ₹1,23,456.00, Discount −₹50.00, Tax');
  expect(titles(invoice)).not.toContain('Discount');
});

test('a receipt is no tax invoice, and says when it was canceled', () => {
  const { place_of_supply: _, tax_kind: __, ...rest } = invoice;
  const receipt: Receipt = {
    ...rest,
    kind: 'receipt',
    payment_status: 'unpaid',
    is_canceled: true,
    lines: [],
    sub_total_paise: 0,
    discount_paise: 0,
    offers: '',
    tax_paise: 0,
    shipping_paise: 0,
    shipping_tax_paise: 0,
  };
  expect(sheetOf(receipt)).toMatchObject({
    title: 'Order receipt',
    warning: 'This is not a tax invoice.',
    notes: ['This order was cancelled.'],
    signature: null,
  });
});

test('file names have no slashes', () => {
  expect(documentFileName(invoice)).toBe('invoice-MTH-26-27-00001.pdf');
  expect(documentFileName({ kind: 'credit note', number: 'MTC/26-27/00001' })).toBe('credit-note-MTC-26-27-00001.pdf');
});
