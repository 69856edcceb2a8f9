import { randomUUID } from 'node:crypto';
import type { Sql } from 'postgres';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { newDatabase, type TestDatabase } from '../../tests/support/database.ts';
import {
  as,
  grantEverything,
  insertPaidOrder,
  insertProduct,
  insertReview,
  insertUser,
  insertZone,
  type Queries,
} from '../../tests/support/rows.ts';
import { openTill, type Till } from '../../tests/support/till.ts';
import { callConsole } from './call-console.ts';

let database: TestDatabase;
let sql: Sql;
let till: Till;
let administrator: { userId: string };
let productId: number;
beforeAll(async () => {
  database = await newDatabase(inject('postgresPath'));
  sql = database.sql;
  await grantEverything(sql);
  till = openTill(database.connection, sql);
  administrator = { userId: await insertUser(sql, { administrator: true, name: 'Asha Rao' }) };
  productId = await insertProduct(sql, { stock: 100_000, price: 100 });
  await insertZone(sql, { prefixes: ['4'] });
});
afterAll(async () => {
  await till.close();
  await database.drop();
});

const person = {
  name: 'Zubeida Khandelwal',
  email: 'zubeida.k@example.net',
  phone: '9811122233',
  building: 'Flat 9, Gulnar Mansion',
  street: 'Peepalwali Gali',
};
const traces = ['zubeida', 'khandelwal', '9811122233', '98111 22233', 'gulnar', 'peepalwali'];

const erase = (customer_id: string, confirmation = person.name) =>
  callConsole<{ orders: number }>(sql, administrator, 'admin_erase_customer', { customer_id, confirmation });
const preview = (customer_id: string) =>
  callConsole<{ hindrance: string | null; orders: number; phone_orders: number; reviews: number }>(
    sql,
    administrator,
    'admin_preview_erasure',
    { customer_id },
  );
const administer = <T>(work: (tx: Queries) => Promise<T>) => as(sql, administrator, work);

/** The account with everything that signing in leaves behind, and a profile. */
async function insertPerson(): Promise<string> {
  const id = randomUUID();
  const { name, email, phone, building, street } = person;
  const told = { name, full_name: name, email, address: { building_no: building, street } };
  await sql`insert into auth.users (id, email, raw_user_meta_data) values (${id}, ${email}, ${sql.json(JSON.stringify(told))})`;
  await sql`insert into auth.identities (id, provider, provider_id, user_id, identity_data)
    values (${randomUUID()}, 'github', ${email}, ${id}, ${sql.json(told)})`;
  const session = randomUUID();
  await sql`insert into auth.sessions (id, user_id, user_agent) values (${session}, ${id}, ${name})`;
  // Supabase numbers them, the embedded Auth does not.
  const tokens = { token: `token of ${name}`, user_id: id, session_id: session };
  const [column] = await sql`select data_type from information_schema.columns
    where table_schema = 'auth' and table_name = 'refresh_tokens' and column_name = 'id'`;
  const ownId = column?.data_type === 'bigint' ? {} : { id: randomUUID() };
  await sql`insert into auth.refresh_tokens ${sql({ ...ownId, ...tokens })}`;
  await sql`insert into auth.flow_state (id, user_id, authentication_method, provider_type, provider_access_token)
    values (${randomUUID()}, ${id}, 'oauth', 'github', ${`token of ${name}`})`;
  await sql`insert into auth.audit_log_entries (id, payload) values (${randomUUID()}, ${sql.json({ actor_id: id, actor_name: name })}),
    (${randomUUID()}, ${sql.json(JSON.stringify({ actor_username: email.toUpperCase() }))})`;
  await sql`insert into public.user_profiles (user_id, phone, building_no, street, city, state, zip, avatar_url)
    values (${id}, ${phone}, ${building}, ${street}, 'Mumbai', 'Maharashtra', '400001', 'https://example.com/zubeida.png')`;
  return id;
}

/** Through the real checkout, then all the way to the door. */
async function insertDelivered(
  id: string,
  steps = ['Confirmed', 'Preparing', 'Packed', 'Shipped', 'Delivered'],
): Promise<string> {
  const { orderId } = await till.checkout(id, [{ productId, quantity: 2, size: 500 }]);
  const placed = await till.place(id, await till.pay(orderId));
  const order = (placed.body as unknown as { order_id: string }).order_id;
  await administer(async (tx) => {
    await tx`update public.orders set delivery_name = ${`${person.name} (mother)`}, tracking_number = 'ZUBEIDA-1', courier = 'Blue Dart' where id = ${order}`;
    await tx`select set_config('shop.public_note', ${`For ${person.name}`}, true)`;
    for (const status of steps)
      await tx`update public.orders set status = ${status}, cancel_reason = 'Zubeida rang' where id = ${order}`;
  });
  return order;
}

async function rowsThatMention(words: string[]): Promise<string[]> {
  const tables = await sql<{ name: string }[]>`
    select oid::regclass::text as name from pg_class
    where relnamespace in ('public'::regnamespace, 'private'::regnamespace, 'auth'::regnamespace) and relkind in ('r', 'p') order by 1`;
  const found: string[] = [];
  for (const { name } of tables) {
    const rows = await sql.unsafe<{ row: string }[]>(
      `select t::text as row from ${name} t where t::text ilike any ($1)`,
      [words.map((word) => `%${word}%`)] as never[],
    );
    found.push(...rows.map(({ row }) => `${name}: ${row}`));
  }
  return found;
}

const books = () => sql`
  select o.number, o.status, o.payment_status, o.payment_id, o.sub_total, o.tax, o.shipping_charge, o.total_amount, o.delivery_state,
         o.delivery_zip, o.created_at, (select jsonb_agg(to_jsonb(i) order by i.id) from public.order_items i where i.order_id = o.id) as items,
         (select jsonb_agg(to_jsonb(p) - 'user_id' order by p.payment_id) from private.payments p where p.order_id = o.id) as payments,
         (select jsonb_agg(to_jsonb(r) - 'reason' - 'note' - 'reference' - 'failure' order by r.id) from private.refunds r where r.order_id = o.id) as refunds,
         (select jsonb_agg(to_jsonb(e) - 'public_note' - 'user_id' order by e.id) from public.order_events e where e.order_id = o.id) as events
  from public.orders o order by o.number`;

test('forgets the person in every table, and keeps every figure of the books', async () => {
  const id = await insertPerson();
  const delivered = await insertDelivered(id);
  await insertDelivered(id, ['canceled']);
  till.later(1);
  await till.work();
  const [payment] = await sql`select payment_id from public.orders where id = ${delivered}`;
  const [refund] =
    await sql`select private.new_refund(${payment?.payment_id}, ${delivered}, 500, 'Zubeida says: broken', now(), now()) as id`;
  till.later(1);
  await till.work();
  expect(await sql`select status from private.refunds where id = ${refund?.id}`).toEqual([{ status: 'processed' }]);
  await sql`update private.refunds
    set note = 'Zubeida sent a photo', method = 'upi', reference = 'Paid to Zubeida', failure = 'The account of Zubeida is closed'
    where id = ${refund?.id}`;
  const phoneOrder = await insertPaidOrder(sql, { userId: null, productId, deliveryName: person.name, paid: false });
  await sql.begin(async (tx) => {
    await tx`select set_config('session_replication_role', 'replica', true)`;
    await tx`update public.orders set status = 'Delivered', source = 'manual', delivery_phone = '98111 22233' where id = ${phoneOrder.id}`;
    await tx`update public.order_events set to_status = 'Delivered' where order_id = ${phoneOrder.id}`;
    await tx`select private.issue_invoices(array[${phoneOrder.id}]::uuid[], array[now()])`;
  });
  const review = await insertReview(sql, { userId: id, productId, rating: 1, content: 'Zubeida was here' });
  await administer(async (tx) => {
    await tx`select public.admin_save_customer_record(${id}, 'Zubeida likes it sweet', '{khandelwal}', null)`;
    await tx`select public.admin_hide_review(${review}, true, (select created_at from public.comments where id = ${review}))`;
  });
  // As a function of the console writes it: with the owner's rights, for who asked.
  await sql.begin(async (tx) => {
    await tx`select set_config('request.jwt.claim.sub', ${administrator.userId}, true), set_config('request.jwt.claims', ${JSON.stringify({ sub: administrator.userId })}, true)`;
    await tx`insert into private.order_notes (order_id, author_id, note) values (${delivered}, ${administrator.userId}, 'Zubeida called twice')`;
  });
  await sql`insert into public.notify_subscriptions (product_id, user_id) values (${productId}, ${id})`;
  await sql`update private.outbox set last_error = ${`mailbox of ${person.email} is full`} where kind = 'mail'`;
  // An email to another customer stays unchanged.
  const stranger = await insertUser(sql, { name: 'Unrelated Stranger' });
  const queuedEmail = { template: 'back-in-stock', product_id: productId, user_id: stranger };
  await sql`insert into private.outbox (kind, key, payload) values ('mail', 'mail:stranger', ${sql.json(queuedEmail)})`;
  expect((await rowsThatMention(traces)).length).toBeGreaterThan(20);
  const before = await books();

  expect(await preview(id)).toEqual({
    hindrance: null,
    name: person.name,
    email: person.email,
    orders: 3,
    phone_orders: 1,
    reviews: 1,
  });
  expect(await erase(id, person.email.toUpperCase())).toMatchObject({ orders: 3 });

  expect(await rowsThatMention(traces)).toEqual([]);
  expect(await books()).toEqual(before);
  expect(await sql`select * from public.check_invariants()`).toEqual([]);
  const orders =
    await sql`select distinct user_id, delivery_name, delivery_phone, delivery_street, delivery_building_no, cancel_reason from public.orders`;
  expect(orders).toEqual([
    {
      user_id: null,
      delivery_name: 'Erased customer',
      delivery_phone: '',
      delivery_street: '',
      delivery_building_no: '',
      cancel_reason: null,
    },
  ]);
  expect(await sql`select "Rating", review_count from public."Products" where "Id" = ${productId}`).toEqual([
    { Rating: null, review_count: 0 },
  ]);
  expect(await sql`select key from private.outbox where kind = 'mail'`).toEqual([{ key: 'mail:stranger' }]);
  const log = await sql`select action, actor_id, table_name, before, after from public.audit_log order by id`;
  // What was changed, by whom and when can still be read; what it said cannot.
  expect(log).toContainEqual({
    action: 'insert',
    actor_id: administrator.userId,
    table_name: 'order_notes',
    before: null,
    after: expect.objectContaining({ order_id: delivered, note: '[erased]' }),
  });
  expect(log).toContainEqual(
    expect.objectContaining({
      table_name: 'orders',
      before: expect.objectContaining({ status: 'Pending', cancel_reason: null }),
      after: expect.objectContaining({ status: 'Confirmed', cancel_reason: '[erased]' }),
    }),
  );
  expect(log.at(-1)).toMatchObject({
    action: 'insert',
    actor_id: administrator.userId,
    table_name: 'erasures',
    after: { customer_id: id, orders: 3 },
  });
  expect(log.filter(({ table_name }) => table_name === 'erasures')).toHaveLength(1);
  await expect(erase(id)).rejects.toMatchObject({ code: 'PT404' });
});

test('is refused without the right name, and for administrators', async () => {
  const id = await insertUser(sql, { name: 'Cautious Person' });
  for (const confirmation of ['', '  ', 'Cautious', 'somebody else'])
    await expect(erase(id, confirmation)).rejects.toMatchObject({ code: 'PT422', detail: 'confirmation' });
  await expect(erase(administrator.userId, 'Asha Rao')).rejects.toMatchObject({
    code: 'PT409',
    message: expect.stringContaining('administrator'),
  });
  expect(await sql`select from auth.users where id in ${sql([id, administrator.userId])}`).toHaveLength(2);
  expect(await erase(id, ' cautious PERSON ')).toMatchObject({ orders: 0 });
});

test('waits for transactions on their orders, without a deadlock', async () => {
  const name = 'Patient Person';
  const id = await insertUser(sql, { name });
  const order = await insertPaidOrder(sql, { userId: id, productId, status: 'Delivered' });
  let erased: Promise<unknown> | undefined;
  // What a second payment for an order does: first it holds the order, then the customer.
  await sql.begin(async (tx) => {
    await tx`select from public.orders where id = ${order.id} for key share`;
    erased = erase(id, name).catch((error: unknown) => error);
    const waiting = () =>
      sql`select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`;
    await expect.poll(waiting).toHaveLength(1);
    await tx`select from auth.users where id = ${id} for key share`;
  });
  expect(await erased).toMatchObject({ orders: 1 });
});

test('waits for open orders, refunds and payments, and says which', async () => {
  const id = await till.customer();
  const name = 'Meera Till';
  const hindered = async (words: RegExp) => {
    expect((await preview(id)).hindrance).toMatch(words);
    await expect(erase(id, name)).rejects.toMatchObject({ code: 'PT409', message: expect.stringMatching(words) });
    expect(await sql`select from public.user_profiles where user_id = ${id} and street <> ''`).toHaveLength(1);
  };
  const line = [{ productId, quantity: 1, size: 500 as const }];
  const { orderId } = await till.checkout(id, line);
  await hindered(/^They began to pay on .* until .*\.$/);
  const paid = await till.pay(orderId);
  const { order_id } = (await till.place(id, paid)).body as unknown as { order_id: string };
  await hindered(/^Order \d+ is still pending\. Finish or cancel it first\.$/);
  await as(sql, { userId: id }, (tx) => tx`update public.orders set status = 'canceled' where id = ${order_id}`);
  await hindered(/^The refund of order \d+ is under way\./);
  till.later(1);
  await till.work();
  expect((await preview(id)).hindrance).toBeNull();

  await till.checkout(id, line);
  till.later(25);
  await till.work();
  await hindered(/^They began to pay/);
  till.later(6 * 24 * 60);
  await till.work();
  expect((await preview(id)).hindrance).toBeNull();

  await sql`update public.orders set payment_status = 'refund_failed' where id = ${order_id}`;
  await hindered(/^The refund of order \d+ failed\./);
  await sql`update public.orders set payment_status = 'refunded' where id = ${order_id}`;
  const byHand = await insertPaidOrder(sql, { userId: id, productId, paid: false });
  await sql`update public.orders set payment_status = 'paid_offline' where id = ${byHand.id}`;
  await sql`update public.orders set status = 'canceled' where id = ${byHand.id}`;
  await hindered(/^Order \d+ was cancelled and ₹250 still has to be paid back offline\./);
  await sql`insert into private.refunds (order_id, amount_paise, reason, status, processed_at)
    values (${byHand.id}, 25000, 'order refunded', 'processed', now())`;
  expect(await erase(id, name)).toMatchObject({ orders: 2 });
  expect(await sql`select from private.checkouts where delivery_name = ${name}`).toEqual([]);
  await till.expectCleanBooks();
});
