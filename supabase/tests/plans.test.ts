// No list, search or page reads a long table from end to end. What the planner would do with tables forty times as long is
// asked of short ones; statements that know their arguments and statements that are planned once for all are both tried.
import type { Sql } from 'postgres';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import {
  forgottenQuestions,
  type Known,
  knownRows,
  questions,
  wholeSheets,
} from '../../tests/support/console-requests.ts';
import { newDatabase, type TestDatabase } from '../../tests/support/database.ts';
import { fillOrders } from '../../tests/support/many-rows.ts';
import { as, type Caller, insertUser, type Queries } from '../../tests/support/rows.ts';

type Table = { oid: number; name: string; rows: number };

let database: TestDatabase;
let sql: Sql;
let owner: Caller;
let known: Known;
let long: Table[];

beforeAll(async () => {
  database = await newDatabase(inject('postgresPath'));
  sql = database.sql;
  await fillOrders(sql, { orders: 1200, customers: 900, products: 100, days: 30 });
  await fillTheRest();
  while ((await sql`select public.refresh_figures() as more`)[0]?.more);
  owner = { userId: await insertUser(sql, { administrator: true }) };
  known = await knownRows(sql);
  await sql`vacuum (analyze)`;
  long = await sql<Table[]>`
    select oid::int, oid::regclass::text as name, reltuples::int as rows from pg_class
    where relkind = 'r' and reltuples >= 800 and relnamespace::regnamespace::text in ('public', 'private', 'auth')`;
});
afterAll(() => database.drop());

/** What fillOrders() has none of, as many as there are customers. */
const fillTheRest = () =>
  sql.begin(async (tx) => {
    await tx`select set_config('session_replication_role', 'replica', true)`;
    await tx`create temporary table people on commit drop as
      select user_id, row_number() over (order by user_id) as n from public.user_profiles`;
    await tx`insert into public.customer_addresses (user_id, label, recipient_name, phone, building_no, street, city, state, zip)
      select user_id, 'Home', 'Name', '9820012345', '1', 'Road', 'Pune', 'Maharashtra', '411001' from people`;
    await tx`insert into public.vendors (name) select 'Vendor ' || n from generate_series(1, 50) n`;
    await tx`insert into public.comments (content, rating, product_id, user_id) select 'Review ' || n, 5, n % 100 + 1, user_id from people`;
    await tx`insert into public.notify_subscriptions (product_id, user_id) select n % 100 + 1, user_id from people`;
    await tx`insert into public.audit_log (action, table_name, row_id) select 'update', 'orders', n::text from people`;
    await tx`insert into public.expenses (spent_on, category, amount, payment_mode)
      select current_date - (n % 700)::int, 'Rent', 100, 'Cash' from people`;
    await tx`insert into public.purchase_orders (vendor_id, status) select n % 50 + 1, 'Closed' from people`;
    await tx`insert into public.purchase_order_items (purchase_order_id, item_name, unit, quantity, unit_cost)
      select n, 'Item ' || n % 200, 'kg', 1, 100 from people`;
    // Four of each order, over the years; one in two hundred is open.
    await tx`insert into private.refunds (order_id, payment_id, amount_paise, reason, status, created_at, processed_at, due_on, finished_at)
      select o.id, o.payment_id, 100, 'one sweet arrived broken', case when o.is_open then 'failed' else 'processed' end, o.at,
        case when not o.is_open then o.at end, private.day_of(o.at) + 9, case when not o.is_open then o.at + interval '1 day' end
      from (select id, payment_id, n % 200 = 0 as is_open, now() - n * interval '14 hours' as at
            from (select o.id, p.payment_id, row_number() over () as n
                  from public.orders o join private.payments p on p.order_id = o.id, generate_series(1, 4)) o) o`;
    await tx`insert into public.vendor_payments (id, vendor_id, paid_on, mode, amount)
      select gen_random_uuid(), n % 50 + 1, current_date - 1, 'Cash', 1 from people`;
    await tx`insert into private.consents (user_id, purpose, is_agreed, source) select user_id, 'news', true, 'profile' from people`;
    await tx`insert into private.outbox (kind, key, payload, done_at)
      select 'mail', 'mail:done:' || n, jsonb_build_object('template', 'back-in-stock', 'user_id', user_id), now() from people`;
    await tx`insert into private.customer_records (user_id, notes) select user_id, 'Rings twice' from people`;
  });

type Counted = 'rows' | 'entries';

/**
 * The long tables of which a statement looks at more than a fifth, row by row; or also at so many entries of their indexes,
 * as a count does, which takes no row.
 */
async function readWhole(caller: Caller, statement: string, counted: Counted): Promise<string[]> {
  const whole = new Set<string>();
  for (const mode of ['force_custom_plan', 'force_generic_plan'])
    await as(sql, caller, async (tx) => {
      await tx`select set_config('seq_page_cost', '40', true), set_config('plan_cache_mode', ${mode}, true)`;
      // Figures that are cached for a day are calculated by the first request.
      await tx.unsafe(statement);
      const before = await readSoFar(tx, counted);
      await tx.unsafe(statement);
      const after = await readSoFar(tx, counted);
      for (const { oid, name, rows } of long)
        if ((after.get(oid) ?? 0) - (before.get(oid) ?? 0) > rows / 5) whole.add(name);
    });
  return [...whole].sort();
}

async function allReadWhole(
  statements: Record<string, string>,
  caller: Caller,
  counted: Counted = 'entries',
): Promise<Record<string, string[]>> {
  const read: Record<string, string[]> = {};
  for (const [what, statement] of Object.entries(statements)) {
    const tables = await readWhole(caller, statement, counted);
    if (tables.length > 0) read[what] = tables;
  }
  return read;
}

async function readSoFar(tx: Queries, counted: Counted): Promise<Map<number, number>> {
  const tables = await tx<{ oid: number; rows: number; entries: number }[]>`
    select t.relid::int as oid, (t.seq_tup_read + coalesce(t.idx_tup_fetch, 0))::int as rows,
      (t.seq_tup_read + coalesce((select sum(pg_stat_get_xact_tuples_returned(i.indexrelid))
                                  from pg_index i where i.indrelid = t.relid), 0))::int as entries
    from pg_stat_xact_all_tables t`;
  return new Map(tables.map((table) => [table.oid, table[counted]]));
}

/** These add up what administrators type in: tables of a few thousand rows in years, that no customer fills. */
const sums = {
  expenses: ['expenses'],
  'profit and loss of the year': ['expenses'],
  vendors: ['purchase_orders', 'vendor_payments'],
  'cities and tags of customers': ['private.customer_records'],
  'items bought before': ['purchase_order_items', 'purchase_orders'],
};

test('no request of the console scans a long table', async () => {
  expect(long.map(({ name }) => name)).toEqual(
    expect.arrayContaining([
      'orders',
      'order_items',
      'order_events',
      'stock_movements',
      'comments',
      'audit_log',
      'private.refunds',
    ]),
  );
  expect(await forgottenQuestions(sql)).toEqual([]);
  const statements = Object.entries({ ...questions, ...wholeSheets }).map(([what, question]) => [
    what,
    `select public.${typeof question === 'string' ? question : question(known)}`,
  ]);
  // Rows: a list counts up to ten thousand entries, and here there are fewer. How it grows is in bench/results.md.
  expect(await allReadWhole(Object.fromEntries(statements), owner, 'rows')).toEqual(sums);
});

test('orders of a city and untrue offers are counted from an index alone', async () => {
  const planOf = async (statement: string) =>
    sql.begin(async (tx) => {
      await tx`select set_config('seq_page_cost', '40', true)`;
      return (await tx.unsafe(`explain ${statement}`)).map((line) => line['QUERY PLAN']).join('\n');
    });
  expect(await planOf(`select o.id from public.orders o where lower(o.delivery_city) = 'jaipur' limit 1001`)).toContain(
    'Index Only Scan using orders_city_idx',
  );
  expect(
    await planOf(`select from public."Products" p where p.archived_at is null
      and not private.is_offer_backed(p.offer_percent, p."Price", p.regular_price) limit 1000`),
  ).toContain('Index Only Scan using products_unbacked_offers_idx');
});

test('the due days of refunds are one statement, without a call for each order', async () => {
  const plan = await sql`explain select min(d.due_on) from private.refunds_due() d`;
  expect(plan.map((line) => line['QUERY PLAN']).join('\n')).not.toContain('Function Scan');
});

const open = (token: string) => ({
  box_page: 'box_page()',
  cart_by_link: `cart_by_link('x')`,
  home_page: 'home_page()',
  page_frame: 'page_frame()',
  next_greeting_change: 'next_greeting_change()',
  product_page: 'product_page(1)',
  goes_well_with: 'goes_well_with(1)',
  product_reviews: 'product_reviews(1)',
  product_page_by_name: `product_page_by_name('Kesar Peda')`,
  product_id_by_name: `product_id_by_name('Kesar Peda')`,
  shop_page: `shop_page(array['Laddu', 'Halwa'], 0, 10000, 'popular', 12)`,
  search_products: `search_products('kesar')`,
  order_by_link: `order_by_link('${token}')`,
  popular_products: 'popular_products()',
  sitemap_products: 'sitemap_products()',
  schema_checksums: 'schema_checksums()',
  schema_versions: 'schema_versions()',
  check_delivery: `check_delivery('400001', array[1, 2])`,
  delivery_calendar: `delivery_calendar('400001', array[1, 2])`,
  get_user_info: `get_user_info((select user_id from public.comments limit 1))`,
});
const mine = (user: string) => ({
  my_refunds: 'my_refunds()',
  my_checkout: `my_checkout('order_many2200')`,
  my_documents: `my_documents(array(select id from public.orders where user_id = '${user}'))`,
  my_gift_again: `my_gift_again((select id from public.orders where user_id = '${user}' limit 1))`,
  my_consents: 'my_consents()',
  my_erasure: 'my_erasure()',
  my_group_again: 'my_group_again(gen_random_uuid())',
  my_order_again: `my_order_again((select id from public.orders where user_id = '${user}' limit 1))`,
  my_order_link: `my_order_link((select id from public.orders where user_id = '${user}' limit 1))`,
  revoke_my_order_links: `revoke_my_order_links((select id from public.orders where user_id = '${user}' limit 1))`,
  my_gifts: `my_gifts(array(select id from public.orders where user_id = '${user}'))`,
  my_group: `my_group('order_many2200')`,
  my_groups: `my_groups(array(select group_id from public.orders where user_id = '${user}'))`,
  is_administrator: `is_administrator('${user}')`,
  my_sessions: 'my_sessions()',
});
/** They write, or look at everything because that is what they are for. */
const others = [
  'choose_consent',
  'stop_messages',
  'record_missed_search',
  'check_invariants',
  'check_invariants_part',
  'correct_recipient',
  'end_my_session',
  'end_my_sessions',
  'erase_me',
];

test('no page, and nothing that a customer reads, reads a long table whole', async () => {
  const customer = { userId: known.customer };
  const [made] =
    await sql`select private.order_link(o.id, now()) as token from public.orders o where o.user_id is not null limit 1`;
  const token = String(made?.token);
  const callable = await sql<{ name: string }[]>`
    select proname as name from pg_proc
    where pronamespace = 'public'::regnamespace and proname !~ '^admin_' and prorettype <> 'trigger'::regtype
      and (has_function_privilege('anon', oid, 'execute') or has_function_privilege('authenticated', oid, 'execute'))`;
  expect([...Object.keys(open('')), ...Object.keys(mine('')), ...others].sort()).toEqual(
    callable.map(({ name }) => name).sort(),
  );
  const called = (calls: Record<string, string>) =>
    Object.fromEntries(Object.entries(calls).map(([name, call]) => [name, `select public.${call}`]));
  // Words of sweets are compared with what was typed, and there are as many as the shop has sweets.
  const search = { search_products: ['private.search_entries'] };
  expect(await allReadWhole(called(open(token)), 'anon')).toEqual(search);
  expect(await allReadWhole(called({ ...open(token), ...mine(known.customer) }), customer)).toEqual(search);
});

test('no download of a customer’s own data reads a long table whole', async () => {
  const piece = (part: string, after: string) =>
    `select public.read_own_data('${known.customer}', '${part}', ${after})`;
  expect(
    await allReadWhole(
      {
        account: piece('account', 'null'),
        orders: piece('orders', 'array[0]'),
        documents: piece('documents', 'array[0, 0, 0]'),
      },
      'service',
    ),
  ).toEqual({});
});

test('the policies of a row let its index be used', async () => {
  const id = known.customer;
  const orders = `array(select o.id from public.orders o where o.user_id = '${id}')`;
  const statements: Record<string, string> = {
    Products: 'select * from public."Products" where "Id" in (1, 2, 3)',
    product_pictures: 'select * from public.product_pictures where product_id in (1, 2, 3)',
    orders: `select * from public.orders where user_id = '${id}' order by created_at desc, id desc limit 20`,
    order_details_view: `select * from public.order_details_view where user_id = '${id}' order by created_at desc limit 20`,
    order_items: `select * from public.order_items where order_id = any (${orders})`,
    order_events: `select * from public.order_events where order_id = any (${orders}) order by id desc limit 100`,
    comments: 'select * from public.comments where product_id = 1 order by created_at desc, id desc limit 20',
    notify_subscriptions: `select * from public.notify_subscriptions where user_id = '${id}'`,
    customer_addresses: `select * from public.customer_addresses where user_id = '${id}' order by created_at`,
    user_profiles: `select * from public.user_profiles where user_id = '${id}'`,
  };
  const tables = await sql<{ name: string }[]>`
    select distinct tablename as name from pg_policies
    where schemaname = 'public' and cmd in ('SELECT', 'ALL') and (qual ~ 'uid|orders' or tablename = 'Products')`;
  expect(Object.keys(statements)).toEqual(expect.arrayContaining(tables.map(({ name }) => name)));
  expect(await allReadWhole(statements, { userId: id })).toEqual({});
  expect(await allReadWhole(statements, owner)).toEqual({});
});
