import type { Sql } from 'postgres';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { z } from 'zod';
import { type Known, questions, wholeSheets } from '../../tests/support/console-requests.ts';
import { allContracts } from '../../tests/support/contracts.ts';
import { newDatabase, type TestDatabase } from '../../tests/support/database.ts';
import { as, type Caller, insertUser } from '../../tests/support/rows.ts';
import { readResult } from '../contracts/contract.ts';

let database: TestDatabase;
let sql: Sql;
let known: Known;
let owner: Caller;
beforeAll(async () => {
  database = await newDatabase(inject('postgresPath'), 'demo');
  sql = database.sql;
  const [row] = await sql<Known[]>`
    select (select id from public.orders where status = 'Delivered' order by number limit 1) as order,
           (select user_id from private.customer_figures order by orders desc limit 1) as customer,
           (select min("Id")::int from public."Products") as product, (select min(id)::int from public.vendors) as vendor,
           extract(year from now() - interval '3 months')::int as year`;
  if (!row) throw new Error('the demo shop is empty');
  known = row;
  owner = { userId: await insertUser(sql, { administrator: true }) };
});
afterAll(() => database.drop());

const contracts = await allContracts();

type Signature = {
  name: string;
  args: string[] | null;
  types: string[] | null;
  defaults: number;
  returns: string;
  set: boolean;
};

async function signatures(): Promise<Signature[]> {
  return sql<Signature[]>`
    select p.proname as name, p.proargnames[1:p.pronargs] as args, p.pronargdefaults as defaults, r.typname as returns, p.proretset as set,
           (select array_agg(t.typname order by k.n) from unnest(p.proargtypes::oid[]) with ordinality k (oid, n)
              join pg_type t on t.oid = k.oid) as types
    from pg_proc p join pg_type r on r.oid = p.prorettype
    where p.pronamespace = 'public'::regnamespace and p.prokind = 'f' and r.typname <> 'trigger'
    order by p.proname`;
}

test('every public function has a contract, and every contract a function', async () => {
  const names = (await signatures()).map(({ name }) => name);
  expect([...contracts.keys()].sort()).toEqual(names.sort());
});

test('arguments have the names and types that the function takes, and are optional where it has a default', async () => {
  const stated: Record<string, unknown> = {};
  const real: Record<string, unknown> = {};
  for (const { name, args, types, defaults } of await signatures()) {
    const contract = contracts.get(name);
    if (!contract) continue;
    const shape = (contract.args as unknown as z.ZodObject).shape as Record<string, z.ZodType>;
    stated[name] = Object.fromEntries(Object.entries(shape).map(([key, type]) => [key, describe(type)]));
    const all = args ?? [];
    real[name] = Object.fromEntries(
      all.map((key, place) => [
        key,
        {
          // What a caller may send as jsonb only the function knows.
          kind: isJson(types?.[place]) ? describe(shape[key]).kind : kindOf(types?.[place] ?? ''),
          optional: place >= all.length - defaults,
        },
      ]),
    );
  }
  expect(stated).toEqual(real);
});

const isJson = (type: string | undefined) => type === 'jsonb' || type === 'json';

function kindOf(type: string): string {
  if (type.startsWith('_')) return `${kindOf(type.slice(1))}[]`;
  if (/^(int\d|numeric|float\d)$/.test(type)) return 'number';
  return type === 'bool' ? 'boolean' : 'string';
}

/** In JSON's words, without what only narrows it. */
function describe(type: z.ZodType | undefined): { kind: string; optional: boolean } {
  if (!type) return { kind: 'missing', optional: false };
  if (type instanceof z.ZodOptional) return { ...describe(type.unwrap() as z.ZodType), optional: true };
  if (type instanceof z.ZodNullable) return describe(type.unwrap() as z.ZodType);
  if (type instanceof z.ZodArray) return { kind: `${describe(type.element as z.ZodType).kind}[]`, optional: false };
  if (type instanceof z.ZodEnum) return { kind: 'string', optional: false };
  return { kind: type.def.type, optional: false };
}

async function checkAnswer(caller: Caller, call: string): Promise<void> {
  const contract = contracts.get(/^\w+/.exec(call)?.[0] ?? '');
  if (!contract) throw new Error(`${call}: no contract`);
  const [row] = await as(sql, caller, (tx) => tx.unsafe(`select to_jsonb(a) as answer from public.${call} as a`));
  readResult(contract, row?.answer ?? null);
}

test.each(Object.entries({ ...questions, ...wholeSheets }))(
  'the console reads what the contract says: %s',
  async (_, asked) => {
    await checkAnswer(owner, typeof asked === 'string' ? asked : asked(known));
  },
);

// Public functions, and functions of the shop itself.
const others: readonly string[] = [
  'page_frame()',
  'home_page()',
  `shop_page('{Laddu,*,Gift}', 0, 100000, 'bs', 4)`,
  'product_page(1)',
  'product_page(999999)',
  `product_page_by_name('Kesar Laddu')`,
  'goes_well_with(1)',
  'sitemap_products()',
  `order_by_link('x')`,
  `cart_by_link('x')`,
  'popular_products()',
  `search_products('kesar')`,
  `search_products('nothing like that')`,
  `check_delivery('400028', '{1,2}')`,
  `check_delivery('000000')`,
  `delivery_calendar('400028', '{1,2}')`,
  `delivery_calendar('000000')`,
  'next_greeting_change()',
  'schema_versions()',
  'schema_checksums()',
  'queue_metrics()',
  'count_orders()',
  'refresh_figures()',
  'count_product_pairs()',
  'queue_gift_reminders()',
  'queue_refund_delays()',
  `stop_messages('none')`,
  'my_consents()',
  'my_erasure()',
  `read_own_data('3f2a9c1b-6d5e-4f70-8a91-b2c3d4e5f607', 'orders', '{0}')`,
  `claim_jobs('http://shop.test')`,
  `export_products('{}', null, now())`,
  `export_orders('{}', null, now())`,
  `export_customers('{}', null, now())`,
  `export_expenses('{}', null, now())`,
  `export_profit('{"year": 2026}', null, now())`,
  `export_gst('{"year": 2026}', null, now())`,
  `export_documents('{"year": 2026}', null, now())`,
];

test.each(others)('%s returns what the contract says', (call) => checkAnswer('service', call));

test('rows of a function that returns many are what the contract says', async () => {
  const [{ id } = { id: 0 }] = await sql<{ id: number }[]>`select product_id::int as id from public.comments limit 1`;
  for (const call of [`product_reviews(${id})`, 'my_refunds()', 'my_sessions()', 'check_invariants()']) {
    const rows = await as(sql, owner, (tx) => tx.unsafe(`select to_jsonb(a) as row from public.${call} as a`));
    const contract = contracts.get(/^\w+/.exec(call)?.[0] ?? '');
    if (contract)
      readResult(
        contract,
        rows.map(({ row }) => row),
      );
  }
});

test('documents of the demo shop are what the contract says', async () => {
  const orders = await sql<{ id: string; user_id: string }[]>`
    select o.id, o.user_id from public.orders o where o.user_id is not null order by o.number limit 40`;
  for (const { id, user_id } of orders) {
    await checkAnswer('service', `read_document('${user_id}', '${id}')`);
    await checkAnswer({ userId: user_id }, `my_documents('{${id}}')`);
  }
  if (typeof owner === 'object')
    await checkAnswer('service', `read_documents('${owner.userId}', '{${orders.map(({ id }) => id).join(',')}}')`);
});
