import type { Sql } from 'postgres';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { drawSheet } from '../../adapters/pdf/draw-sheet.ts';
import { amountInWords } from '../../domain/documents/amount-in-words.ts';
import { sheetOf } from '../../domain/documents/sheet.ts';
import type { TaxDocument } from '../../domain/documents/tax-document.ts';
import { newDatabase, type TestDatabase } from '../../tests/support/database.ts';
import { seededRandom } from '../../tests/support/random.ts';
import { insertOrder, type OrderWish, randomLines } from '../../tests/support/random-orders.ts';
import { columnOf, paiseIn, readPdf } from '../../tests/support/read-pdf.ts';
import { insertProduct, insertUser } from '../../tests/support/rows.ts';

let database: TestDatabase;
let sql: Sql;
let userId: string;
let products: { sized: number; pieces: number };
beforeAll(async () => {
  database = await newDatabase(inject('postgresPath'));
  sql = database.sql;
  userId = await insertUser(sql);
  products = {
    sized: await insertProduct(sql, { hasSize: true, stock: 9_000_000 }),
    pieces: await insertProduct(sql, { stock: 900_000 }),
  };
  await sql`update public.shop_settings set name = 'Mithaas', legal_name = 'Mithaas Sweets Private Limited', state = 'Maharashtra',
    gstin = '27AAAAA0000A1Z5', address = 'Ranade Road, Mumbai 400028', fssai_number = '10000000000001'`;
});
afterAll(() => database.drop());

const laddu = (some = {}) => ({
  productId: products.sized,
  name: 'Besan Laddu',
  quantity: 2,
  size: 500 as const,
  hasSize: true,
  price: 100,
  gst: 5,
  hsn: '2106',
  ...some,
});
const insertOne = (wish: Partial<OrderWish> = {}) => insertOrder(sql, { userId, lines: [laddu()], ...wish });
const pack = (id: string) => sql`update public.orders set status = 'Packed' where id = ${id}`;
const documentOf = async (orderId: string, note: string | null = null): Promise<TaxDocument> =>
  (await sql`select public.read_document(${userId}, ${orderId}, ${note}) as told`)[0]?.told;
const draw = async (document: TaxDocument) => readPdf(await drawSheet(sheetOf(document)));
const added = (amounts: number[]) => amounts.reduce((sum, paise) => sum + paise, 0);

test('the columns of an invoice add up to the order, whatever was ordered', async () => {
  const { pick } = seededRandom(5);
  for (let round = 0; round < 12; round += 1) {
    const isLocal = pick([true, false]);
    const order = await insertOne({
      lines: [...randomLines(pick, products, 6), laddu()],
      state: isLocal ? 'Maharashtra' : 'Karnataka',
      shipping: pick([0, 40, 131.5]),
    });
    await pack(order.id);
    const pdf = await draw(await documentOf(order.id));
    const taxes = isLocal ? ['CGST', 'SGST'] : ['IGST'];
    const [taxable, whole, ...tax] = ['Taxable value', 'Amount', ...taxes].map((title) => columnOf(pdf, title));
    for (const { amounts, foot } of [taxable, whole, ...tax].filter((column) => column !== undefined))
      expect(added(amounts)).toBe(foot);
    expect(whole?.foot).toBe(order.totalPaise);
    expect((taxable?.foot ?? 0) + added(tax.map(({ foot }) => foot))).toBe(order.totalPaise);
    expect(
      pdf.lines.some(
        (line) => line.at(-1) && paiseIn(line.at(-1)?.text ?? '') === order.totalPaise && line[0]?.text === 'Total',
      ),
    ).toBe(true);
    expect(pdf.text.replaceAll('\n', ' ')).toContain(amountInWords(order.totalPaise).split(' ').slice(0, 4).join(' '));
    expect(pdf.pages).toBe(1);
  }
});

test('an invoice says all that the law asks for', async () => {
  const order = await insertOne({ name: 'Asha & Sons', state: 'Karnataka', zip: '560001' });
  await pack(order.id);
  const { text } = await draw(await documentOf(order.id));
  for (const words of [
    'Tax invoice',
    'Mithaas Sweets Private Limited',
    'Ranade Road, Mumbai 400028',
    'GSTIN 27AAAAA0000A1Z5',
    'FSSAI 10000000000001',
    'Asha & Sons',
    '4B, Ranade Road',
    'Town 560001',
    'Karnataka (29)',
    'Maharashtra (27)',
    'Besan Laddu, 2 × 500 g',
    '2106',
    '1 kg',
    '5%',
    'Amount in words',
    'Rupees two hundred fifty only',
    'Tax payable on reverse charge: No.',
    'For Mithaas Sweets Private Limited',
    'Authorised signatory',
    '₹250.00',
  ])
    expect(text).toContain(words);
  const [{ number } = { number: '' }] = await sql<
    { number: string }[]
  >`select number from private.invoices where order_id = ${order.id}`;
  expect(text).toContain(number);
});

test('before packing it is a receipt, and says that it is no invoice', async () => {
  const order = await insertOne();
  const { text } = await draw(await documentOf(order.id));
  expect(text).toContain('Order receipt');
  expect(text).toContain('This is not a tax invoice.');
  expect(text).not.toContain('Tax invoice');
  expect(text).not.toContain('MTH/');
  expect(text).toContain('₹250.00');
});

test('a credit note names its invoice and adds up to what went back', async () => {
  const order = await insertOne({ lines: [laddu(), laddu({ name: 'Bark', hsn: '1806', gst: 18 })] });
  await pack(order.id);
  await sql`insert into private.refunds (order_id, amount_paise, reason, status, processed_at) values (${order.id}, 12345, 'order refunded', 'processed', now())`;
  const [note] =
    await sql`select n.id, i.number from private.credit_notes n join private.invoices i on i.id = n.invoice_id where i.order_id = ${order.id}`;
  const pdf = await draw(await documentOf(order.id, note?.id));
  expect(pdf.text).toContain('Credit note');
  expect(pdf.text).toContain(note?.number);
  expect(pdf.text).toContain('Total credited');
  expect(pdf.text).not.toContain('Quantity');
  expect(columnOf(pdf, 'Amount')).toMatchObject({ foot: 12345 });
  expect(added(columnOf(pdf, 'Amount').amounts)).toBe(12345);
});

test('names in Devanagari are drawn and can be read, and no name breaks the page', async () => {
  const order = await insertOne({ name: 'आशा कदम', lines: [laddu({ name: 'काजू कतली' })] });
  await pack(order.id);
  const { text } = await draw(await documentOf(order.id));
  expect(text).toContain('आशा');
  expect(text).toContain('काजू');
  for (const name of ['😀🎉👨‍👩‍👧', 'தமிழ்', '\u202eevil', 'a\nb', 'W'.repeat(120), 'é\u0301\u0327', '<b>&"']) {
    const strange = await insertOne({ name, lines: [laddu({ name: name.repeat(3) })] });
    await pack(strange.id);
    expect((await draw(await documentOf(strange.id))).text).toContain('Tax invoice');
  }
});

test('a long order continues on the next page with repeated headings, and its columns still add up', async () => {
  const order = await insertOne({
    lines: Array.from({ length: 70 }, (_, n) => laddu({ name: `Sweet ${n + 1} of the wedding list`, price: 10 + n })),
  });
  await pack(order.id);
  const pdf = await draw(await documentOf(order.id));
  expect(pdf.pages).toBeGreaterThan(1);
  expect(pdf.text.match(/Description HSN/g)).toHaveLength(pdf.pages);
  for (let page = 1; page <= pdf.pages; page += 1) expect(pdf.text).toContain(`Page ${page} of ${pdf.pages}`);
  expect(added(columnOf(pdf, 'Amount').amounts)).toBe(order.totalPaise);
  expect(columnOf(pdf, 'Amount').foot).toBe(order.totalPaise);
});

test('the same document is the same file, byte for byte', async () => {
  const order = await insertOne({ name: 'आशा कदम' });
  await pack(order.id);
  const [first, second] = [await documentOf(order.id), await documentOf(order.id)];
  const files = [await drawSheet(sheetOf(first)), await drawSheet(sheetOf(second))];
  expect(Buffer.compare(files[0] as Uint8Array, files[1] as Uint8Array)).toBe(0);
});

test('only its customer and administrators can read a document', async () => {
  const order = await insertOne();
  const ask = async (asker: string | null, orderId: string, note: string | null = null) =>
    (await sql`select public.read_document(${asker}, ${orderId}, ${note}) as told`)[0]?.told;
  const [stranger, administrator] = [await insertUser(sql), await insertUser(sql, { administrator: true })];
  expect(await ask(userId, order.id)).not.toBeNull();
  expect(await ask(administrator, order.id)).not.toBeNull();
  expect(await ask(stranger, order.id)).toBeNull();
  expect(await ask(null, order.id)).toBeNull();
  expect(await ask(userId, stranger)).toBeNull();
  const nobodys = await insertOne({ userId: null });
  expect(await ask(null, nobodys.id)).toBeNull();
  const other = await insertOne({ userId: stranger });
  await pack(other.id);
  await sql`insert into private.refunds (order_id, amount_paise, reason, status, processed_at) values (${other.id}, 100, 'order refunded', 'processed', now())`;
  const [note] =
    await sql`select n.id from private.credit_notes n join private.invoices i on i.id = n.invoice_id where i.order_id = ${other.id}`;
  expect(await ask(stranger, other.id, note?.id)).not.toBeNull();
  // A note of another order, under an own one.
  expect(await ask(userId, order.id, note?.id)).toBeNull();
  const [many] = await sql`select public.read_documents(${stranger}, array[${other.id}]::uuid[]) as told`;
  expect(many?.told).toBeNull();
});
