import { randomUUID } from 'node:crypto';
import type { Sql } from 'postgres';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { newDatabase, type TestDatabase } from '../../tests/support/database.ts';
import {
  as,
  insertPaidOrder,
  insertProduct,
  insertReview,
  insertUser,
  type Queries,
} from '../../tests/support/rows.ts';
import { asking, insertVendor, order, receive } from '../../tests/support/stock-room.ts';
import { type Args, callConsole } from './call-console.ts';

type Entry = {
  id: number;
  at: string;
  actor: string;
  action: string;
  table_name: string;
  subject: string;
  subject_id: string;
  has_size: boolean | null;
};
type Log = { rows: Entry[]; next: number | null };

let database: TestDatabase;
let sql: Sql;
let asha: { userId: string };
let ravi: { userId: string };
beforeAll(async () => {
  database = await newDatabase(inject('postgresPath'));
  sql = database.sql;
  asha = { userId: await insertUser(sql, { administrator: true, name: 'Asha Rao' }) };
  ravi = { userId: await insertUser(sql, { administrator: true, name: 'Ravi Kumar' }) };
});
afterAll(() => database.drop());

const read = (args: Args = {}) => callConsole<Log>(sql, asha, 'admin_read_log', args);

/** With the owner's rights, for the administrator who asked. */
const asTheConsoleDoes = <T>(work: (tx: Queries) => Promise<T>) =>
  sql.begin(async (tx) => {
    const claims = JSON.stringify({ sub: asha.userId });
    await tx`select set_config('request.jwt.claims', ${claims}, true), set_config('request.jwt.claim.sub', ${asha.userId}, true)`;
    return work(tx);
  }) as Promise<T>;

test('names the changed row, and the number shown on its page', async () => {
  const productId = await insertProduct(sql, { name: 'Besan Laddu', stock: 100 });
  const customer = await insertUser(sql, { name: 'Meera Nair' });
  const { id: orderId } = await insertPaidOrder(sql, { userId: customer, productId });
  const [order] = await sql`select number from public.orders where id = ${orderId}`;
  const review = await insertReview(sql, { userId: customer, productId });
  const before = (await read()).rows.length;
  const vendor = await as(sql, asha, async (tx: Queries) => {
    await tx`update public."Products" set "Price" = 540 where "Id" = ${productId}`;
    await tx`update public.stock_levels set low_at = 7 where product_id = ${productId}`;
    await tx`insert into public.stock_movements (product_id, quantity, reason) values (${productId}, 5, 'production')`;
    await tx`update public.orders set status = 'Confirmed' where id = ${orderId}`;
    await tx`select public.admin_save_customer_record(${customer}, 'Calls on Fridays', '{}', null)`;
    await tx`select public.admin_hide_review(${review}, true, (select created_at from public.comments where id = ${review}))`;
    const [vendor] = await tx`insert into public.vendors (name) values ('Gokul Dairy') returning id`;
    await tx`insert into public.expenses (spent_on, category, amount, payment_mode) values ('2026-11-01', 'Rent', 100, 'UPI')`;
    await tx`update public.shop_settings set grievance_officer = 'Asha Rao' where true`;
    return vendor?.id as string;
  });
  const purchase = await asTheConsoleDoes(async (tx) => {
    const [row] = await tx`insert into public.purchase_orders (vendor_id) values (${vendor}) returning id`;
    await tx`insert into private.order_notes (order_id, note) values (${orderId}, 'Called')`;
    await tx`insert into public.product_pictures (product_id, position, image) values (${productId}, 2, '/a.webp')`;
    await tx`update public.product_pictures set alt = 'cut open' where product_id = ${productId}`;
    return row?.id as string;
  });
  const { rows } = await read();
  const told = rows
    .slice(0, rows.length - before)
    .map(({ table_name, subject, subject_id }) => [table_name, subject, subject_id]);
  expect(told.reverse()).toEqual([
    ['Products', 'Besan Laddu', String(productId)],
    ['stock_levels', 'Besan Laddu', String(productId)],
    ['stock_movements', 'Besan Laddu', String(productId)],
    ['orders', String(order?.number), orderId],
    ['customer_records', 'Meera Nair', customer],
    ['comments', 'Meera Nair on Besan Laddu', customer],
    ['vendors', 'Gokul Dairy', String(vendor)],
    ['expenses', 'Rent', expect.any(String)],
    ['shop_settings', 'true', 'true'],
    ['purchase_orders', `${purchase} from Gokul Dairy`, String(purchase)],
    ['order_notes', String(order?.number), orderId],
    ['product_pictures', 'Besan Laddu', String(productId)],
    ['product_pictures', 'Besan Laddu', String(productId)],
  ]);
  const ofStock = rows.filter(({ table_name }) => table_name.startsWith('stock_'));
  const [sweet] = await sql`select "hasSize" as has_size from public."Products" where "Id" = ${productId}`;
  for (const { has_size } of ofStock) expect(has_size).toBe(sweet?.has_size);
  const about = (await read({ customer_id: customer })).rows.map(({ table_name }) => table_name);
  expect(about).toEqual(['comments', 'customer_records']);
});

test('has no number of the database for a name', async () => {
  await sql`insert into public.audit_log (actor_id, action, table_name, row_id)
    values (${asha.userId}, 'delete', 'vendor_payments', ${randomUUID()})`;
  expect((await read()).rows[0]).toMatchObject({ table_name: 'vendor_payments', subject: 'without a name' });
});

test('names what was bought, received and paid, and shows no bare row ids', async () => {
  const ask = asking(sql, asha);
  const last = (await read()).rows[0]?.id ?? 0;
  const vendorId = await insertVendor(sql, { name: 'Konkan Cashews' });
  const purchase = await order(ask, vendorId, [{ name: 'Whole cashews', quantity: 5 }]);
  const receiptId = randomUUID();
  await receive(ask, purchase, { receiptId, quantities: [2] });
  // Two kilograms at ₹500, and the tax.
  const payment_id = randomUUID();
  const paid = { amount_paise: 5000, owed_seen_paise: 105_000, paid_on: '2026-11-01', mode: 'UPI' };
  await ask('admin_pay_vendor', { payment_id, vendor_id: vendorId, ...paid });
  await ask('admin_undo_vendor_payment', { payment_id });
  const { rows } = await read();
  const told = rows
    .filter(({ id }) => id > last)
    .map(({ table_name, subject, subject_id }) => `${table_name}: ${subject} (${subject_id})`);
  expect(told.length).toBeGreaterThan(6);
  expect(told.filter((line) => !/(Konkan Cashews|Whole cashews) \(\d+\)$/.test(line))).toEqual([]);
});

test('shows a deleted row, or one of an unknown table, by what the entry recorded', async () => {
  await as(sql, asha, async (tx) => {
    await tx`insert into public.vendors (id, name) values (901, 'Short-lived Dairy')`;
    await tx`delete from public.vendors where id = 901`;
  });
  await sql`insert into public.audit_log (action, table_name, row_id, after)
    values ('insert', 'gift_cards', 'card-1', '{"title": "Diwali card"}'), ('update', 'orders', 'not a number', '{}'),
           ('insert', 'gift_wraps', 'w-1', '{"order_id": "never seen"}')`;
  const subjects = (await read()).rows.slice(0, 5).map(({ subject }) => subject);
  expect(subjects).toEqual(['w-1', 'not a number', 'Diwali card', 'Short-lived Dairy', 'Short-lived Dairy']);
});

test('is filtered by person, kind of thing, one thing and day in India, page by page', async () => {
  const subject = { userId: ravi.userId };
  // 30 November, 23:59 in India and a minute later.
  await sql`insert into public.audit_log (at, actor_id, action, table_name, row_id, after)
    select case when n <= 60 then timestamptz '2025-11-30 18:29:00+00' else timestamptz '2025-11-30 18:30:00+00' end,
           ${subject.userId}, 'insert', case when n % 2 = 0 then 'tea' else 'coffee' end, n::text, '{}'
    from generate_series(1, 130) n`;
  const all = async (args: Args) => {
    const entries: Entry[] = [];
    let before_id: number | null = null;
    do {
      const page: Log = await read({ ...args, before_id });
      expect(page.rows.length).toBeLessThanOrEqual(50);
      entries.push(...page.rows);
      before_id = page.next;
    } while (before_id !== null);
    return entries;
  };
  const ids = (entries: Entry[]) => entries.map(({ id }) => id);
  const everything = await all({ actor_id: ravi.userId });
  expect(everything).toHaveLength(130);
  expect(ids(everything)).toEqual(ids(everything).toSorted((a, b) => b - a));
  expect(everything[0]).toMatchObject({ actor: 'Ravi Kumar', subject: '130' });
  expect(await all({ tables: ['tea'] })).toHaveLength(65);
  expect(await all({ tables: ['tea', 'coffee'], first_day: '2025-11-30', last_day: '2025-11-30' })).toHaveLength(60);
  expect(await all({ actor_id: ravi.userId, first_day: '2025-12-01' })).toHaveLength(70);
  expect(await all({ actor_id: ravi.userId, last_day: '2025-11-29' })).toEqual([]);
  expect(await all({ table_name: 'tea', row_id: '4' })).toHaveLength(1);
  expect((await read({ before_id: 999_999_999 })).rows).toEqual([]);
});

test('offers every person who made a change and every kind of row, also deleted ones', async () => {
  await sql`insert into public.audit_log (actor_id, action, table_name, row_id, after) values (gen_random_uuid(), 'insert', 'gift_cards', '2', '{}')`;
  const choices = await callConsole<{ people: { id: string; name: string }[]; tables: string[] }>(
    sql,
    asha,
    'admin_list_log_choices',
  );
  expect(choices.people.map(({ name }) => name).sort()).toEqual(['Asha Rao', 'Ravi Kumar', 'Somebody who left']);
  const tables = await sql`select distinct table_name from public.audit_log order by 1`;
  expect(choices.tables.toSorted()).toEqual(tables.map(({ table_name }) => table_name).toSorted());
  expect((await read({ tables: ['gift_cards'] })).rows[0]).toMatchObject({ actor: 'Somebody who left' });
});
