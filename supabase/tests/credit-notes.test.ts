import { readFile } from 'node:fs/promises';
import type { Sql } from 'postgres';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { newDatabase, type TestDatabase } from '../../tests/support/database.ts';
import { seededRandom } from '../../tests/support/random.ts';
import { insertOrder, type OrderWish, type RandomOrder, randomLines } from '../../tests/support/random-orders.ts';
import { as, insertProduct } from '../../tests/support/rows.ts';
import { type OrderConsole, openConsole, refusalOf } from './order-console.ts';

let database: TestDatabase;
let sql: Sql;
let shop: OrderConsole;
let products: { sized: number; pieces: number };
beforeAll(async () => {
  database = await newDatabase(inject('postgresPath'));
  sql = database.sql;
  shop = await openConsole(sql);
  products = {
    sized: await insertProduct(sql, { hasSize: true, stock: 9_000_000 }),
    pieces: await insertProduct(sql, { stock: 900_000 }),
  };
  await sql`update public.shop_settings set state = 'Maharashtra', gstin = '27AAAAA0000A1Z5'`;
});
afterAll(() => database.drop());

const laddu = () => ({
  productId: products.sized,
  name: 'Besan Laddu',
  quantity: 2,
  size: 500 as const,
  hasSize: true,
  price: 100,
  gst: 5,
  hsn: '2106',
});
const insertOne = (wish: Partial<OrderWish> = {}) => insertOrder(sql, { lines: [laddu()], ...wish });
const move = async (id: string, ...steps: string[]) => {
  for (const status of steps)
    await sql`update public.orders set status = ${status}, cancel_reason = 'asked' where id = ${id}`;
};

/** The provider refunds: requested, then done. */
async function refund(order: RandomOrder, paise: number): Promise<string> {
  const [row] = await sql`
    select private.new_refund(o.payment_id, o.id, ${paise}, 'order refunded', now(), now()) as id from public.orders o where o.id = ${order.id}`;
  await sql`select public.record_refund(${row?.id}, ${`rfnd_${row?.id}`}, 'processed')`;
  return row?.id;
}

type Line = { place: number; description: string; quantity: number | null } & Record<
  'taxable_paise' | 'cgst_paise' | 'sgst_paise' | 'igst_paise',
  number
>;
const paiseOf = (line: Line) => line.taxable_paise + line.cgst_paise + line.sgst_paise + line.igst_paise;
type Note = {
  id: string;
  number: string;
  serial: number;
  refund_id: string | null;
  lines: Line[];
  total: number;
  taxable: number;
  cgst: number;
  sgst: number;
  igst: number;
};
const notesOf = (orderId: string) => sql<Note[]>`
  select n.id, n.number, n.serial, n.refund_id, n.lines, n.total_paise::int as total, n.taxable_paise::int as taxable, n.cgst_paise::int as cgst,
         n.sgst_paise::int as sgst, n.igst_paise::int as igst
  from private.credit_notes n join private.invoices i on i.id = n.invoice_id where i.order_id = ${orderId} order by n.year, n.serial`;
const booksAreClean = async () => expect(await sql`select * from public.check_invariants()`).toEqual([]);

test('a refund gets its credit note when it is done, not when it is requested, and only once', async () => {
  const order = await insertOne();
  await move(order.id, 'Packed', 'Shipped', 'Delivered');
  const [asked] =
    await sql`select private.new_refund(payment_id, id, 5000, 'order refunded', now(), now()) as id from public.orders where id = ${order.id}`;
  expect(await notesOf(order.id)).toEqual([]);
  await sql`select public.record_refund(${asked?.id}, 'rfnd_a', 'pending')`;
  expect(await notesOf(order.id)).toEqual([]);
  await sql`select public.record_refund(${asked?.id}, 'rfnd_a', 'processed')`;
  await sql`select public.record_refund(${asked?.id}, 'rfnd_a', 'processed')`;
  const notes = await notesOf(order.id);
  expect(notes).toMatchObject([{ refund_id: asked?.id, total: 5000 }]);
  expect(notes[0]?.number).toMatch(/^MTC\/\d\d-\d\d\/\d{5}$/);
  // 5000 of 25000 in all: a fifth of each part.
  expect(notes[0]?.lines).toMatchObject([
    { description: 'Besan Laddu, 2 × 500 g', taxable_paise: 4000, cgst_paise: 100, sgst_paise: 100, quantity: null },
    { description: 'Delivery' },
  ]);
  await booksAreClean();
});

test('a failed refund gets none, its next try does', async () => {
  const order = await insertOne();
  await move(order.id, 'Packed');
  const [asked] =
    await sql`select private.new_refund(payment_id, id, 5000, 'order refunded', now(), now()) as id from public.orders where id = ${order.id}`;
  await sql`select public.record_refund(${asked?.id}, null, 'failed')`;
  expect(await notesOf(order.id)).toEqual([]);
  const [again] = await sql`select id from private.refunds where retry_of = ${asked?.id}`;
  await sql`select public.record_refund(${again?.id}, 'rfnd_b', 'processed')`;
  expect(await notesOf(order.id)).toMatchObject([{ refund_id: again?.id }]);
  await booksAreClean();
});

test('refunds piece by piece take every part to nothing, and never below', async () => {
  const { pick, number } = seededRandom(99);
  for (let round = 0; round < 25; round += 1) {
    const order = await insertOne({
      lines: [...randomLines(pick, products), laddu()],
      state: pick(['Maharashtra', 'Kerala']),
      shipping: pick([0, 40, 0.01]),
    });
    await move(order.id, 'Packed');
    let left = order.totalPaise;
    while (left > 0) {
      const part = pick([false, false, true]) ? left : Math.min(left, 1 + number(Math.ceil(order.totalPaise / 2)));
      await refund(order, part);
      left -= part;
    }
    const notes = await notesOf(order.id);
    const [invoice] = await sql<{ lines: Line[] }[]>`select lines from private.invoices where order_id = ${order.id}`;
    for (const [place, line] of (invoice?.lines ?? []).entries())
      for (const part of ['taxable_paise', 'cgst_paise', 'sgst_paise', 'igst_paise'] as const) {
        const given = notes.flatMap(({ lines }) =>
          lines.filter((one) => one.place === place + 1).map((one) => one[part]),
        );
        expect(Math.min(0, ...given)).toBe(0);
        expect(given.reduce((sum, paise) => sum + paise, 0)).toBe(line[part]);
      }
    for (const { lines, total, taxable, cgst, sgst, igst } of notes) {
      expect(taxable + cgst + sgst + igst).toBe(total);
      for (const line of lines) expect(line.cgst_paise).toBe(line.sgst_paise);
      expect(
        lines.reduce((sum, line) => sum + line.taxable_paise + line.cgst_paise + line.sgst_paise + line.igst_paise, 0),
      ).toBe(total);
    }
  }
  await booksAreClean();
});

test('what is given back for one sweet is credited to it alone, and not twice', async () => {
  const order = await insertOne({
    lines: [{ ...laddu(), name: 'Bark', hsn: '1806', gst: 18, price: 292.55 }, laddu(), { ...laddu(), name: 'Peda' }],
    paid: false,
  });
  await move(order.id, 'Packed');
  await shop.act('admin_mark_order_paid', order.id, { method: 'cash' });
  const items = await sql<{ id: string }[]>`select id from public.order_items where order_id = ${order.id} order by id`;
  const give = (amount_paise: number, order_item_id: string | undefined) =>
    shop.act('admin_refund_order', order.id, { amount_paise, reason: 'crushed', order_item_id });
  await give(21_000, items[1]?.id);
  const [note] = await notesOf(order.id);
  expect(note?.lines).toMatchObject([
    { place: 2, hsn: '2106', taxable_paise: 20_000, cgst_paise: 500, sgst_paise: 500, quantity: 1, unit: 'kg' },
  ]);
  expect(note?.lines).toHaveLength(1);
  expect(await refusalOf(give(100, items[1]?.id))).toMatchObject({
    detail: 'amount_paise',
    message: expect.stringMatching(/already refunded/),
  });
  await give(1_000, items[2]?.id);
  expect(await refusalOf(give(20_001, items[2]?.id))).toMatchObject({
    message: expect.stringMatching(/At most ₹200 can be/),
  });
  const other = await insertOne();
  const [strange] = await sql<{ id: string }[]>`select id from public.order_items where order_id = ${other.id}`;
  expect(await refusalOf(give(100, strange?.id))).toMatchObject({ message: expect.stringMatching(/not in the order/) });
  // A free amount goes over what is left of everything, and then a sweet has less left than it cost.
  await shop.act('admin_refund_order', order.id, { amount_paise: 30_000, reason: 'late' });
  const credited = (await notesOf(order.id)).flatMap(({ lines }) => lines).filter(({ place }) => place === 3);
  const left = 21_000 - credited.reduce((sum, line) => sum + paiseOf(line), 0);
  expect(left).toBeLessThan(20_000);
  expect((await shop.read(order.id)).refundable_lines).toMatchObject([
    {},
    { order_item_id: Number(items[1]?.id), paise: 0 },
    { order_item_id: Number(items[2]?.id), paise: left },
  ]);
  expect(await refusalOf(give(left + 1, items[2]?.id))).toMatchObject({ detail: 'amount_paise' });
  await give(left, items[2]?.id);
  // The sweet counts as returned with the last refund of what was paid for it.
  const places = (await notesOf(order.id)).map(({ lines }) => lines.map(({ place, quantity }) => [place, quantity]));
  expect(places).toEqual([[[2, 1]], [[3, null]], [1, 3, 4, 5].map((place) => [place, null]), [[3, 1]]]);
  const { money, refunds } = await shop.read(order.id);
  expect(refunds.map((one) => one.amount_paise)).toEqual([left, 30_000, 1_000, 21_000]);
  await shop.act('admin_refund_order', order.id, { amount_paise: money.refundable_paise, reason: 'rest' });
  expect((await notesOf(order.id)).reduce((sum, { total }) => sum + total, 0)).toBe(order.totalPaise);
  await booksAreClean();
});

test.each([
  ['under way', 'Packed', ''],
  ['made before packing', 'Confirmed', 'Packed'],
])('a refund for one sweet that is %s keeps its line, whatever else is credited first', async (_what, from, to) => {
  const order = await insertOne({ lines: [{ ...laddu(), name: 'Bark', hsn: '1806' }, laddu()], status: 'Confirmed' });
  if (from === 'Packed') await move(order.id, 'Preparing', 'Packed');
  const [item] = await sql`select max(id) as id from public.order_items where order_id = ${order.id}`;
  const ask = (amount_paise: number, order_item_id: number | null = null) =>
    shop.act('admin_refund_order', order.id, { amount_paise, reason: 'late', order_item_id });
  const free = await ask(30_000);
  const named = await ask(15_000, item?.id);
  expect((await shop.read(order.id)).refundable_lines.map(({ paise }) => paise)).toEqual([21_000, 6_000]);
  for (const { refund_id } of [free, named])
    await sql`select public.record_refund(${refund_id as string}, ${`rfnd_${refund_id}`}, 'processed')`;
  if (to) await move(order.id, 'Preparing', to);
  const notes = await notesOf(order.id);
  expect(notes.map(({ total }) => total)).toEqual([30_000, 15_000]);
  expect(notes[1]?.lines.map(({ place }) => place)).toEqual([2]);
  expect(paiseOf(notes[0]?.lines.find(({ place }) => place === 2) as Line)).toBeLessThanOrEqual(6_000);
  const [rest] = (await shop.read(order.id)).refundable_lines.slice(1);
  expect(rest?.paise).toBe(6_000 - paiseOf(notes[0]?.lines.find(({ place }) => place === 2) as Line));
  await booksAreClean();
});

test('a lost refund for one sweet is tried again for all of the order where the sweet has no longer so much', async () => {
  const order = await insertOne({ lines: [{ ...laddu(), name: 'Bark', hsn: '1806' }, laddu()] });
  await move(order.id, 'Packed');
  const [item] = await sql`select max(id) as id from public.order_items where order_id = ${order.id}`;
  const { refund_id } = await shop.act('admin_refund_order', order.id, {
    amount_paise: 15_000,
    reason: 'crushed',
    order_item_id: item?.id,
  });
  await sql`select public.record_refund(${refund_id as string}, null, 'failed')`;
  await sql`update private.refunds set status = 'failed' where order_id = ${order.id}`;
  await refund(order, 30_000);
  const again = (await shop.read(order.id)).refunds.find(({ can_retry }) => can_retry);
  const tried = await shop.act('admin_retry_refund', order.id, { refund_id: again?.id });
  await sql`select public.record_refund(${tried.refund_id as string}, 'rfnd_all', 'processed')`;
  expect((await notesOf(order.id)).map(({ total, lines }) => [total, lines.length])).toEqual([
    [30_000, 4],
    [15_000, 4],
  ]);
  await booksAreClean();
});

test('another try of a refund for one sweet is for that sweet', async () => {
  const order = await insertOne({ lines: [{ ...laddu(), name: 'Bark', hsn: '1806' }, laddu()] });
  await move(order.id, 'Packed');
  const [item] = await sql`select max(id) as id from public.order_items where order_id = ${order.id}`;
  const { refund_id } = await shop.act('admin_refund_order', order.id, {
    amount_paise: 5000,
    reason: 'crushed',
    order_item_id: item?.id,
  });
  await sql`select public.record_refund(${refund_id as string}, null, 'failed')`;
  const [again] = await sql`select id from private.refunds where retry_of = ${refund_id as string}`;
  await sql`select public.record_refund(${again?.id}, 'rfnd_line', 'processed')`;
  expect((await notesOf(order.id)).map(({ lines }) => lines.map(({ place }) => place))).toEqual([[2]]);
  await booksAreClean();
});

test('a canceled order that was packed is credited when its money is back', async () => {
  const order = await insertOne();
  await move(order.id, 'Packed', 'canceled');
  expect(await notesOf(order.id)).toEqual([]);
  const [queued] = await sql`select id from private.refunds where order_id = ${order.id}`;
  await sql`select public.record_refund(${queued?.id}, 'rfnd_c', 'processed')`;
  expect(await notesOf(order.id)).toMatchObject([{ total: order.totalPaise, lines: [{ quantity: 1 }, {}] }]);
  await booksAreClean();
});

test('an order canceled before it is packed has neither invoice nor credit note', async () => {
  const order = await insertOne({ status: 'Confirmed' });
  await move(order.id, 'canceled');
  const [queued] = await sql`select id from private.refunds where order_id = ${order.id}`;
  await sql`select public.record_refund(${queued?.id}, 'rfnd_d', 'processed')`;
  expect(await sql`select from private.invoices where order_id = ${order.id}`).toHaveLength(0);
  expect(await notesOf(order.id)).toEqual([]);
});

test('money that went back before packing is credited with the invoice, which is over all of the order', async () => {
  const order = await insertOne({ status: 'Confirmed' });
  await refund(order, 700);
  expect(await notesOf(order.id)).toEqual([]);
  await move(order.id, 'Preparing', 'Packed');
  expect(await notesOf(order.id)).toMatchObject([{ total: 700 }]);
  await booksAreClean();
});

test('a phone order is credited when it is cancelled, unpaid or paid offline, and not again when the money is refunded', async () => {
  const unpaid = await insertOne({ paid: false });
  await move(unpaid.id, 'Packed', 'canceled');
  expect(await notesOf(unpaid.id)).toMatchObject([{ total: unpaid.totalPaise, refund_id: null }]);
  const byHand = await insertOne({ paid: false });
  await move(byHand.id, 'Packed');
  await shop.act('admin_mark_order_paid', byHand.id, { method: 'cash' });
  await shop.act('admin_cancel_order', byHand.id, { reason: 'rang', goods: 'stock' });
  expect(await notesOf(byHand.id)).toMatchObject([{ total: byHand.totalPaise, refund_id: null }]);
  await booksAreClean();
  await shop.act('admin_refund_order', byHand.id, { amount_paise: 1000, reason: 'half' });
  await shop.act('admin_refund_order', byHand.id, { amount_paise: byHand.totalPaise - 1000, reason: 'rest' });
  expect(await notesOf(byHand.id)).toHaveLength(1);
  await booksAreClean();
});

test('an offline refund before a cancellation is not credited twice', async () => {
  const order = await insertOne({ paid: false });
  await move(order.id, 'Packed');
  await shop.act('admin_mark_order_paid', order.id, { method: 'upi' });
  await shop.act('admin_refund_order', order.id, { amount_paise: 1000, reason: 'late' });
  await shop.act('admin_cancel_order', order.id, { reason: 'rang', goods: 'stock' });
  expect((await notesOf(order.id)).map(({ total }) => total)).toEqual([1000, order.totalPaise - 1000]);
  await shop.act('admin_refund_order', order.id, { amount_paise: order.totalPaise - 1000, reason: 'rest' });
  expect(await notesOf(order.id)).toHaveLength(2);
  await booksAreClean();
});

test('an order that was delivered, paid offline and refunded offline is credited once', async () => {
  const order = await insertOne({ paid: false });
  await move(order.id, 'Packed', 'Shipped', 'Delivered');
  await shop.act('admin_mark_order_paid', order.id, { method: 'cash' });
  await shop.act('admin_refund_order', order.id, { amount_paise: order.totalPaise, reason: 'stale' });
  expect((await shop.read(order.id)).status).toBe('Refunded');
  expect((await notesOf(order.id)).map(({ total, refund_id }) => [total, refund_id !== null])).toEqual([
    [order.totalPaise, true],
  ]);
  await booksAreClean();
});

test('who was called off unpaid is not marked as paid: the invoice is credited', async () => {
  const order = await insertOne({ paid: false });
  await move(order.id, 'Packed', 'Shipped', 'Delivered');
  await shop.act('admin_move_order', order.id, { to_status: 'Refunded' });
  expect(await notesOf(order.id)).toMatchObject([{ total: order.totalPaise }]);
  expect(await refusalOf(shop.act('admin_mark_order_paid', order.id, { method: 'cash' }))).toMatchObject({
    message: 'Only a phone order that is unpaid can be marked as paid.',
  });
  await booksAreClean();
  const undone = new Error('undone');
  await sql
    .begin(async (tx) => {
      await tx`select set_config('session_replication_role', 'replica', true)`;
      await tx`update public.orders set payment_status = 'paid_offline' where id = ${order.id}`;
      expect(await tx`select invariant, subject from public.check_invariants()`).toContainEqual({
        invariant: 13,
        subject: order.id,
      });
      throw undone;
    })
    .catch((error) => {
      if (error !== undone) throw error;
    });
});

test('what was packed before there were documents gets its own, and its credit note if it was called off', async () => {
  const order = await insertOne({ paid: false });
  const byHand = await insertOne({ paid: false });
  await shop.act('admin_mark_order_paid', byHand.id, { method: 'cash' });
  await sql`alter table public.orders disable trigger orders_issue_invoices`;
  await sql`alter table public.orders disable trigger orders_issue_note`;
  for (const { id } of [order, byHand]) await move(id, 'Packed', 'canceled');
  await sql`alter table public.orders enable trigger orders_issue_invoices`;
  await sql`alter table public.orders enable trigger orders_issue_note`;
  const migration = await readFile('supabase/history/20261116002350_check_documents.sql', 'utf8');
  const [forInvoices = '', forNotes = ''] = migration
    .slice(migration.indexOf('-- By when they were packed'))
    .split(/(?=-- Those of them)/);
  await sql.unsafe(forInvoices);
  const missing = await sql<{ invariant: number; subject: string }[]>`select * from public.check_invariants()`;
  expect(missing.map(({ invariant, subject }) => [invariant, subject]).sort()).toEqual(
    [order, byHand].map(({ id }) => [13, id]).sort(),
  );
  await sql.unsafe(forNotes);
  for (const { id, totalPaise } of [order, byHand])
    expect(await notesOf(id)).toMatchObject([{ total: totalPaise, refund_id: null }]);
  await booksAreClean();
});

test('twenty refunds at the same time get consecutive numbers, and a rolled back one leaves no gap', async () => {
  const orders = await Promise.all(Array.from({ length: 20 }, () => insertOne()));
  await Promise.all(orders.map(({ id }) => move(id, 'Packed')));
  await Promise.all(orders.map((order) => refund(order, 1234)));
  await expect(
    sql.begin(async (tx) => {
      await tx`insert into private.refunds (order_id, amount_paise, reason, status, processed_at) values (${orders[0]?.id ?? ''}, 100, 'order refunded', 'processed', now())`;
      await tx`set constraints all immediate`;
      throw new Error('no');
    }),
  ).rejects.toThrow('no');
  const serials = (await sql<{ serial: number }[]>`select serial from private.credit_notes order by serial`).map(
    ({ serial }) => serial,
  );
  expect(serials).toEqual(serials.map((_, n) => n + 1));
  await booksAreClean();
});

test('the GST of a year is that of its documents, and the file says the same', async () => {
  const [{ year } = { year: 0 }] = await sql<
    { year: number }[]
  >`select private.financial_year(private.day_of(now()))::int as year`;
  type Row = { series: string; taxable_paise: number; cgst_paise: number; sgst_paise: number; igst_paise: number };
  const told = await shop.ask<{ months: { invoices: number; credit_notes: number; rows: Row[] }[] }>('admin_read_gst', {
    year,
  });
  const rows = told.months.flatMap((month) => month.rows);
  const sum = (series: string, part: keyof Row) =>
    rows.filter((row) => row.series === series).reduce((total, row) => total + Number(row[part]), 0);
  for (const [series, table] of [
    ['invoice', 'invoices'],
    ['credit note', 'credit_notes'],
  ] as const) {
    const [whole] =
      await sql.unsafe(`select sum(taxable_paise)::int as taxable_paise, sum(cgst_paise)::int as cgst_paise,
      sum(sgst_paise)::int as sgst_paise, sum(igst_paise)::int as igst_paise, count(*)::int as many from private.${table}`);
    for (const part of ['taxable_paise', 'cgst_paise', 'sgst_paise', 'igst_paise'] as const)
      expect(sum(series, part)).toBe(whole?.[part]);
    const counts = told.months.reduce(
      (total, month) => total + (series === 'invoice' ? month.invoices : month.credit_notes),
      0,
    );
    expect(counts).toBe(whole?.many);
  }
  // Amounts in paise and in rupees never go by the same name: the type alone would decide about a factor of 100.
  expect(
    await sql`select proname from pg_proc where pronamespace = 'private'::regnamespace and proname like '%rupees%' group by 1 having count(*) > 1`,
  ).toEqual([]);
  const [file] = await sql`select public.export_gst(${sql.json({ year })}, null, now()) as page`;
  const column = (place: number) =>
    file?.page.rows.reduce((total: number, row: string[]) => total + Math.round(Number(row[place]) * 100), 0);
  expect(column(6)).toBe(sum('invoice', 'taxable_paise') - sum('credit note', 'taxable_paise'));
  expect(column(9)).toBe(sum('invoice', 'igst_paise') - sum('credit note', 'igst_paise'));
  const documents: string[][] = [];
  let next: unknown = null;
  do {
    const [page] =
      await sql`select public.export_documents(${sql.json({ year })}, ${next === null ? null : sql.json(next as never)}, now()) as page`;
    documents.push(...((page?.page.rows ?? []) as string[][]));
    next = page?.page.next;
  } while (next);
  const [counted] =
    await sql`select (select count(*) from private.invoices)::int + (select count(*) from private.credit_notes)::int as many`;
  expect(documents).toHaveLength(counted?.many);
  const totals = documents.reduce((total, row) => total + Math.round(Number(row[12]) * 100), 0);
  expect(totals).toBe([6, 7, 8, 9].reduce((total, place) => total + column(place), 0));
});

test('the GST of a year is read from what is kept: no document is looked at, however many there are', async () => {
  await move((await insertOne()).id, 'Packed');
  await as(sql, { userId: shop.userId }, async (tx) => {
    const looks = () => tx`
      select relname, seq_scan + idx_scan as looks from pg_stat_xact_all_tables
      where schemaname = 'private' and relname in ('invoices', 'credit_notes') order by 1`;
    const before = await looks();
    const [{ told } = { told: null }] = await tx`
      select public.admin_read_gst(extract(year from now() - interval '3 months')::integer) as told`;
    expect(told.months).not.toEqual([]);
    expect(await looks()).toEqual(before);
  });
});
