import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Sql } from 'postgres';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { withDataMap } from '../../scripts/data-map.ts';
import { describeDatabase } from '../../scripts/generate-types.ts';
import { migrate } from '../../server/backends/schema/migrate.ts';
import { newDatabase, supabaseDir, type TestDatabase } from '../../tests/support/database.ts';

let database: TestDatabase;
let sql: Sql;
beforeAll(async () => {
  database = await newDatabase(inject('postgresPath'));
  sql = database.sql;
});
afterAll(() => database.drop());

const names = (rows: readonly { name: string }[]) => rows.map(({ name }) => name);

test('row security is on for every table', async () => {
  const open = await sql<{ name: string }[]>`
    select oid::regclass::text as name from pg_class
    where relnamespace in ('public'::regnamespace, 'private'::regnamespace) and relkind in ('r', 'p') and not relrowsecurity`;
  expect(names(open)).toEqual([]);
});

test('no policy opens a table of private', async () => {
  const policies = await sql<{ name: string }[]>`
    select tablename || ': ' || policyname as name from pg_policies where schemaname = 'private'`;
  expect(names(policies)).toEqual([]);
});

test('policies are made for named roles and never for all of them', async () => {
  const policies = await sql<{ name: string }[]>`
    select tablename || ': ' || policyname as name from pg_policies where schemaname = 'public' and 'public' = any (roles)`;
  expect(names(policies)).toEqual([]);
});

test('functions with the rights of their owner look nothing up in the caller’s search path', async () => {
  const loose = await sql<{ name: string }[]>`
    select oid::regprocedure::text as name from pg_proc
    where pronamespace in ('public'::regnamespace, 'private'::regnamespace) and prosecdef
      and not coalesce('search_path=""' = any (proconfig), false)
    order by 1`;
  expect(names(loose)).toEqual([]);
});

test('no function steers the planner but the one of decision 48', async () => {
  const steering = await sql<{ name: string }[]>`
    select oid::regprocedure::text as name from pg_proc
    where pronamespace in ('public'::regnamespace, 'private'::regnamespace)
      and coalesce(proconfig::text, '') || prosrc
          ~* '\\m(enable_[a-z]+|plan_cache_mode|(seq|random)_page_cost|cpu_[a-z_]+_cost|[a-z]+_collapse_limit|geqo|work_mem|jit)\\M'
    order by 1`;
  expect(names(steering)).toEqual(['check_invariants_part(integer,integer)']);
});

test('functions with the rights of their owner cannot be executed by every role', async () => {
  const open = await sql<{ name: string }[]>`
    select p.oid::regprocedure::text as name from pg_proc p
    where pronamespace in ('public'::regnamespace, 'private'::regnamespace) and prosecdef
      and exists (select from aclexplode(coalesce(p.proacl, acldefault('f', p.proowner))) a where a.grantee = 0)
    order by 1`;
  expect(names(open)).toEqual([]);
});

// Whatever is not named here is for the service role and our own functions only.
const forEverybody = [
  'box_page()',
  // Nothing without our signature.
  'cart_by_link(text)',
  'check_delivery(text,bigint[],integer)',
  'delivery_calendar(text,bigint[])',
  'get_user_info(uuid)',
  'goes_well_with(bigint)',
  'home_page()',
  'is_administrator(uuid)',
  'record_missed_search(text)',
  'next_greeting_change(timestamp with time zone)',
  'page_frame(timestamp with time zone)',
  // Runs before every request of the Data API, as the caller.
  'private.check_session()',
  // Nothing without our signature.
  'order_by_link(text)',
  'popular_products()',
  // A check of profiles and addresses.
  'private.fits_address(text,text)',
  'private.is_admin()',
  'private.is_blank(text)',
  'private.is_printable(text)',
  'private.is_own_session_active()',
  'private.is_safe_link(text)',
  'private.is_service()',
  'private.missing_facts(text,text,text,numeric,text,numeric)',
  // Ids of products in an order, nothing of who bought them.
  'private.paired_with(bigint)',
  'private.product_card("Products")',
  'private.stock_quantity(boolean,integer,integer)',
  'product_id_by_name(text)',
  'product_page(bigint)',
  'product_page_by_name(text)',
  'product_reviews(bigint,bigint,integer)',
  'schema_checksums()',
  'schema_versions()',
  'search_products(text,integer,numeric,numeric,text,text)',
  'shop_page(text[],numeric,numeric,text,integer)',
  'sitemap_products()',
  // Does nothing without our signature.
  'stop_messages(text)',
];
const callable = {
  anon: forEverybody,
  // The check of the books looks for itself whether it is an administrator who asks; what is "my" goes by who asks.
  authenticated: [
    ...forEverybody,
    'check_invariants()',
    'choose_consent(text,boolean,text)',
    'check_invariants_part(integer,integer)',
    'correct_recipient(uuid,jsonb)',
    'end_my_session(uuid)',
    'end_my_sessions()',
    'erase_me(text)',
    'my_checkout(text)',
    'my_documents(uuid[])',
    'my_gift_again(uuid)',
    'my_consents()',
    'my_erasure()',
    'my_gifts(uuid[])',
    'my_group_again(uuid)',
    'my_group(text)',
    'my_groups(uuid[])',
    'my_order_again(uuid)',
    'my_order_link(uuid)',
    'my_refunds(timestamp with time zone,uuid)',
    'my_sessions()',
    'revoke_my_order_links(uuid)',
    'private.is_allowed_move(text,text,text,boolean)',
    'private.is_before_packing(text)',
    // The condition of an index of public."Products", with the rights of the role that writes a row.
    'private.is_offer_backed(smallint,numeric,numeric)',
    'private.calculate_offer(numeric,numeric)',
    // Both are called by a trigger of public.orders, with the rights of the role that changes a row.
    'private.is_undo(uuid,text,text)',
    // Called by order_details_view, whose rows are the caller's own; the schema is not exposed.
    'private.order_shipping_tax(orders)',
  ],
};

test.each(['anon', 'authenticated'] as const)('%s can call the functions meant for it and no other', async (role) => {
  const open = await sql<{ name: string }[]>`
    select oid::regprocedure::text as name from pg_proc
    where pronamespace in ('public'::regnamespace, 'private'::regnamespace)
      and prorettype <> 'trigger'::regtype and has_function_privilege(${role}, oid, 'execute')`;
  const requests = names(open).filter((name) => name.startsWith('admin_'));
  expect(names(open).sort()).toEqual([...callable[role], ...(role === 'anon' ? [] : requests)].sort());
});

test('every function of the console checks for an administrator first', async () => {
  const bodies = await sql<{ name: string; body: string }[]>`
    select oid::regprocedure::text as name, prosrc as body from pg_proc
    where pronamespace = 'public'::regnamespace and proname like 'admin\\_%'`;
  expect(bodies.length).toBeGreaterThan(0);
  const first = /^\s*(declare\s[\s\S]*?)?begin\s+perform private\.require_admin\(\);/i;
  expect(names(bodies.filter(({ body }) => !first.test(body)))).toEqual([]);
});

test('the edge functions can call every function of the shop', async () => {
  const closed = await sql<{ name: string }[]>`
    select oid::regprocedure::text as name from pg_proc
    where pronamespace = 'public'::regnamespace and prorettype <> 'trigger'::regtype
      and not has_function_privilege('service_role', oid, 'execute')`;
  expect(names(closed)).toEqual([]);
});

test('views run with the rights of the caller', async () => {
  const views = await sql<{ name: string; invoker: boolean }[]>`
    select oid::regclass::text as name, coalesce('security_invoker=true' = any (reloptions), false) as invoker
    from pg_class where relnamespace in ('public'::regnamespace, 'private'::regnamespace) and relkind in ('v', 'm')`;
  expect(views.length).toBeGreaterThan(0);
  expect(views.filter(({ invoker }) => !invoker)).toEqual([]);
});

// Foreign keys without an index, and why they need none.
const unindexed: Record<string, string> = {
  'private.document_months (series)': 'the two series never go',
  'private.gst_months (series)': 'the two series never go',
  'private.invoices (place_code)': 'states never go',
  'private.invoices (supplier_id)': 'what invoices name never goes',
  'private.pincode_states (code)': 'states never go',
  'private.state_words (code)': 'states never go',
};

test('every foreign key has an index, or a reason to have none', async () => {
  const missing = await sql<{ name: string }[]>`
    select format('%s (%s)', c.conrelid::regclass,
                  (select string_agg(a.attname, ', ' order by k.n) from unnest(c.conkey) with ordinality k (num, n)
                     join pg_attribute a on a.attrelid = c.conrelid and a.attnum = k.num)) as name
    from pg_constraint c
    where c.contype = 'f' and c.connamespace in ('public'::regnamespace, 'private'::regnamespace)
      and not exists (
        select from pg_index i
        where i.indrelid = c.conrelid and (i.indkey::int2[])[0:cardinality(c.conkey) - 1] @> c.conkey
          and (i.indpred is null or pg_get_expr(i.indpred, i.indrelid) ~ 'IS NOT NULL'))
    order by 1`;
  expect(names(missing)).toEqual(Object.keys(unindexed).sort());
});

test('no column for numbers takes what is none: NaN is above every limit', async () => {
  const open = await sql<{ name: string }[]>`
    select c.oid::regclass || '.' || a.attname as name from pg_attribute a join pg_class c on c.oid = a.attrelid
    where c.relkind = 'r' and c.relnamespace in ('public'::regnamespace, 'private'::regnamespace) and a.attnum > 0
      and not a.attisdropped and a.atttypid in ('numeric'::regtype, 'real'::regtype, 'double precision'::regtype)
      and not exists (select from pg_constraint k where k.conrelid = c.oid and k.contype = 'c' and k.conkey = array[a.attnum]
                        and pg_get_constraintdef(k.oid) ~ 'NaN')`;
  expect(names(open)).toEqual([]);
  await expect(
    sql`insert into public."Products" ("Name", "Price", "Category") values ('Nothing', 'NaN', 'Laddu')`,
  ).rejects.toMatchObject({ constraint_name: 'Products_Price_is_a_number' });
});

test('the committed types describe the database as it is', async () => {
  const committed = await readFile(join(supabaseDir, 'database.types.ts'), 'utf8');
  expect(committed).toBe(await describeDatabase(sql));
});

test('the committed map of the data describes the database as it is', async () => {
  const committed = await readFile(join(supabaseDir, '../docs/data.md'), 'utf8');
  expect(committed).toBe(await withDataMap(committed, sql));
});

test('migrating a second time applies nothing and changes nothing', async () => {
  const before = await describeDatabase(sql);
  const [{ count: recorded } = { count: 0 }] = await sql<{ count: number }[]>`
    select count(*)::int as count from supabase_migrations.schema_migrations`;
  expect(await migrate(sql, supabaseDir)).toEqual({ applied: [] });
  const [again] = await sql`select count(*)::int as count from supabase_migrations.schema_migrations`;
  expect(again?.count).toBe(recorded);
  expect(await describeDatabase(sql)).toBe(before);
});
