import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { withTaxPaise } from '../../domain/catalog/price-with-tax.ts';
import { amountLabels } from '../../domain/checkout/amount-labels.ts';
import { sheetOf } from '../../domain/documents/sheet.ts';
import type { Invoice, Receipt } from '../../domain/documents/tax-document.ts';
import { formatPaise, paise } from '../../domain/money.ts';
import { newDatabase, type TestDatabase } from '../../tests/support/database.ts';
import { randomNumbers } from '../../tests/support/random.ts';
import { as, insertProduct, insertZone } from '../../tests/support/rows.ts';
import { openTill, type Till } from '../../tests/support/till.ts';
import { type OrderConsole, openConsole } from './order-console.ts';

let database: TestDatabase;
let till: Till;
let asha: OrderConsole;
let products: number[];

beforeAll(async () => {
  database = await newDatabase(inject('postgresPath'));
  till = openTill(database.connection, database.sql);
  asha = await openConsole(database.sql);
  const { sql } = database;
  await sql`update public.shop_settings set state = 'Maharashtra', gstin = '27AAAAA0000A1Z5', address = 'Mumbai 400028' where id`;
  await insertZone(sql, { prefixes: ['40', '56'], firstKg: 90, extraKg: 40, maxDays: 5 });
  const rates = [
    [5, '2106', 320],
    [18, '1806', 249.5],
    [5, '1806', 33.33],
    [0, '0406', 120],
  ] as const;
  products = [];
  for (const [gst, hsn, price] of rates) {
    const id = await insertProduct(sql, { price, hasSize: true, stock: 900_000 });
    await sql`update public."Products" set gst_percent = ${gst}, hsn = ${hsn} where "Id" = ${id}`;
    products.push(id);
  }
});
afterAll(async () => {
  await till.close();
  await database.drop();
});

type Amounts = Record<'sub_total' | 'tax' | 'shipping_rate' | 'shipping_tax' | 'total', number>;
const toPaise = (rupees: unknown) => Math.round(Number(rupees) * 100);

/** Buys, and answers what the checkout said and where the order is. */
async function buy(pincode: string, lines: { productId: number; quantity: number; size: 500 | 1000 }[]) {
  const customer = await till.customer(pincode);
  if (pincode.startsWith('56'))
    await database.sql`update public.user_profiles set state = 'Karnataka' where user_id = ${customer}`;
  const { body } = await till.quote(customer, lines, { pincode });
  const quoted = body as unknown as Amounts & { quote_id: string };
  const created = await till.create(customer, quoted.total, quoted.quote_id);
  const placed = await till.place(customer, await till.pay((created.body as unknown as { id: string }).id));
  return { customer, quoted, orderId: (placed.body as unknown as { order_id: string }).order_id };
}
async function pack(orderId: string) {
  for (const status of ['Confirmed', 'Preparing', 'Packed'])
    await database.sql`update public.orders set status = ${status} where id = ${orderId}`;
}
const documentOf = async <T>(customer: string, orderId: string) => {
  const [row] = await database.sql`select public.read_document(${customer}, ${orderId}) as document`;
  return row?.document as T;
};

test('₹320 of sweets for ₹90 to another state: ₹16 on items and ₹4.29 in shipping, before and after', async () => {
  const [laddu = 0] = products;
  const { customer, quoted, orderId } = await buy('560034', [{ productId: laddu, quantity: 1, size: 500 }]);
  expect(quoted).toMatchObject({ sub_total: 320, tax: 16, shipping_rate: 90, shipping_tax: 4.29, total: 426 });
  const split = ['Subtotal ₹320.00', 'Tax (GST on items) ₹16.00', 'Shipping charge (incl. GST ₹4.29) ₹90.00'];
  const receipt = sheetOf(await documentOf<Receipt>(customer, orderId));
  expect(receipt.sums.map(({ label, value }) => `${label} ${value}`)).toEqual(split);
  await pack(orderId);
  const invoice = await documentOf<Invoice>(customer, orderId);
  expect(invoice.igst_paise).toBe(2029);
  expect(sheetOf(invoice).notes.at(-1)).toBe(`As charged: ${split.join(', ')}.`);
});

test('cart, order history, console, messages and invoice say the same of every order', async () => {
  const random = randomNumbers(19);
  const upTo = (most: number) => Math.floor(random() * most);
  for (let round = 0; round < 12; round += 1) {
    const lines = products
      .filter(() => random() < 0.6)
      .map((productId) => ({
        productId,
        quantity: 1 + upTo(3),
        size: random() < 0.5 ? (500 as const) : (1000 as const),
      }));
    if (lines.length === 0) continue;
    const { customer, quoted, orderId } = await buy(random() < 0.5 ? '400001' : '560034', lines);
    const said = [quoted.sub_total, quoted.tax, quoted.shipping_rate, quoted.shipping_tax, quoted.total].map(toPaise);

    const [history] = await as(
      database.sql,
      { userId: customer },
      (tx) =>
        tx`select sub_total, tax, shipping_charge, shipping_tax, total_amount from public.order_details_view where order_id = ${orderId}`,
    );
    expect(Object.values(history ?? {}).map(toPaise)).toEqual(said);
    const read = await asha.ask<Record<string, number>>('admin_read_order', { order_id: orderId });
    expect(['sub_total', 'tax', 'shipping', 'shipping_tax', 'total'].map((name) => read[`${name}_paise`])).toEqual(
      said,
    );
    const [facts] =
      await database.sql`select private.order_facts(o, 'customer') as told from public.orders o where id = ${orderId}`;
    expect(['subTotal', 'tax', 'shipping', 'shippingTax', 'total'].map((name) => facts?.told[`${name}Paise`])).toEqual(
      said,
    );

    await pack(orderId);
    const invoice = await documentOf<Invoice>(customer, orderId);
    const { discount_paise: _, offers: __, ...charged } = invoice.charged;
    expect([...Object.values(charged), invoice.total_paise].sort()).toEqual([...said].sort());
    const gst = invoice.cgst_paise + invoice.sgst_paise + invoice.igst_paise;
    // Inside the state every line may leave its odd paisa in the taxable value.
    const oddPaise = toPaise(quoted.tax) + toPaise(quoted.shipping_tax) - gst;
    expect(oddPaise).toBeGreaterThanOrEqual(0);
    expect(oddPaise).toBeLessThanOrEqual(invoice.tax_kind === 'intra' ? invoice.lines.length : 0);
    // What is printed adds up to what was paid, line by line and in the sums, without a line for rounding.
    const sheet = sheetOf(invoice);
    const printed = (text: string | undefined) => toPaise(text?.replaceAll(/[₹,]/g, ''));
    const sumOf = (texts: (string | undefined)[]) => texts.reduce((sum, text) => sum + printed(text), 0);
    expect(sumOf(sheet.sums.map(({ value }) => value))).toBe(toPaise(quoted.total));
    expect(sumOf(sheet.rows.map((cells) => cells.at(-1)))).toBe(toPaise(quoted.total));
    expect([sheet.total.value, sheet.foot.at(-1)].map(printed)).toEqual([toPaise(quoted.total), toPaise(quoted.total)]);
    const label = amountLabels.shipping(toPaise(quoted.shipping_tax));
    expect(sheet.notes.join()).toContain(label);
  }
  // The months of the GST report are held against the invoices there.
  await till.expectCleanBooks();
});

test('other customers read nothing of it', async () => {
  const [laddu = 0] = products;
  const { orderId } = await buy('400001', [{ productId: laddu, quantity: 1, size: 500 }]);
  const stranger = { userId: await till.customer() };
  const read = (caller: typeof stranger | 'anon') =>
    as(
      database.sql,
      caller,
      (tx) => tx`select shipping_tax from public.order_details_view where order_id = ${orderId}`,
    );
  expect(await read(stranger)).toEqual([]);
  await expect(read('anon')).rejects.toMatchObject({ code: '42501' });
});

test('the phone order tells the caller the same split', async () => {
  const [laddu = 0] = products;
  const lines = [{ product_id: laddu, quantity: 1, size: 500 }];
  const ask = (shipping_paise: number | null) =>
    asha.ask('admin_price_order', { lines, fulfilment: 'delivery', pincode: '560034', shipping_paise });
  expect(await ask(null)).toMatchObject({ shipping_paise: 9_000, shipping_tax_paise: 429 });
  expect(await ask(4_000)).toMatchObject({ shipping_paise: 4_000, shipping_tax_paise: 190 });
});

test('the price with tax on a card is what the sweet costs at checkout', async () => {
  for (const productId of products)
    for (const size of [500, 1000] as const) {
      const customer = await till.customer();
      const { body } = await till.quote(customer, [{ productId, quantity: 3, size }]);
      const [product] =
        await database.sql`select "Price" as price, gst_percent as gst from public."Products" where "Id" = ${productId}`;
      const line = paise((toPaise(product?.price) * size * 3) / 500);
      expect(formatPaise(withTaxPaise(line, Number(product?.gst)))).toBe(
        formatPaise(paise(toPaise(body.sub_total) + toPaise(body.tax))),
      );
    }
});
