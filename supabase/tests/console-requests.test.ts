// Every request of the console, found in the database itself: one that is added tomorrow is tried tomorrow.

import type { Sql } from 'postgres';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { newDatabase, type TestDatabase } from '../../tests/support/database.ts';
import { type Caller, insertUser } from '../../tests/support/rows.ts';
import { outcomesOf, prepareOutcomes } from './outcomes.ts';

type Request = { name: string; call: string };

let database: TestDatabase;
let sql: Sql;
let customer: Caller;
beforeAll(async () => {
  database = await newDatabase(inject('postgresPath'), 'demo');
  sql = database.sql;
  customer = { userId: await insertUser(sql) };
  await prepareOutcomes(sql);
});
afterAll(() => database.drop());

type Samples = Record<string, string>;
const plain: Samples = { jsonb: '{}', int4: '1', int8: '1', bool: 'true', text: 'x' };

/** Each with an argument of the right type for every parameter. */
const requests = (samples: Samples = plain, names = 'admin\\_%') => sql<Request[]>`
  select p.oid::regprocedure::text as name,
         format('select public.%I(%s)', p.proname,
                (select string_agg(format('%L::%s', s.value, format_type(a.type, null)), ', ' order by a.place)
                 from unnest(p.proargtypes) with ordinality a (type, place)
                 left join jsonb_each_text(${sql.json(samples)}) s on s.key = (select typname from pg_type where oid = a.type))) as call
  from pg_proc p where p.pronamespace = 'public'::regnamespace and p.proname like ${names} order by 1`;

/** Each argument that can hold anything, with something that it should not, and the others left out where they can be. */
const nonsense = [
  '{"key":"x","id":"x","day":"x","created_at":"x","product_id":"x"}',
  '{"key":1,"id":1,"sort_name":1,"spent_on":"2026-11-16","created_at":"2026-11-16"}',
  '{"from":"x","search":"\\t","product":"\\t","status":"x","vendor_id":"x","category":1}',
  '{"id":"99999999999999999999","to":"2026-02-31","year":"x","sort":[]}',
  '{"search":"\\t"}',
  '{"product":"\\t"}',
  '{"from":"x"}',
  '{}',
  '[]',
  '"x"',
  'null',
  '\t',
  '',
  'x',
];
const isJson = (text: string) => text !== '\t' && text !== '' && text !== 'x';
const nonsensicalCalls = () => sql<Request[]>`
  select format('%s: %s => %L', p.proname, a.name, n.value) as name,
         format('select public.%I(%s)', p.proname, concat_ws(', ',
           (select string_agg(format('%I => %L::%s', r.name, ${sql.json(plain)}::jsonb ->> t.typname, format_type(r.type, null)), ', ')
            from unnest(p.proargnames, p.proargtypes::oid[]) with ordinality r (name, type, place) join pg_type t on t.oid = r.type
            where r.place <= p.pronargs - p.pronargdefaults and r.place <> a.place),
           format('%I => %L::%s', a.name, n.value, format_type(a.type, null)))) as call
  from pg_proc p
  cross join lateral unnest(p.proargnames, p.proargtypes::oid[]) with ordinality a (name, type, place)
  join jsonb_to_recordset(${sql.json(nonsense.map((value) => ({ value, is_json: isJson(value) })))}) n (value text, is_json boolean)
    on a.type = 'text'::regtype or (a.type = 'jsonb'::regtype and n.is_json)
  where p.pronamespace = 'public'::regnamespace and p.proname like 'admin\\_list\\_%'
  order by 1`;

async function fingerprints(): Promise<Record<string, string>> {
  const tables = await sql<{ name: string }[]>`
    select oid::regclass::text as name from pg_class
    where relnamespace in ('public'::regnamespace, 'private'::regnamespace, 'auth'::regnamespace) and relkind = 'r' order by 1`;
  const prints: Record<string, string> = {};
  for (const { name } of tables) {
    const [row] = await sql.unsafe<{ print: string }[]>(
      `select count(*) || ':' || coalesce(sum(hashtextextended(t::text, 0)), 0) as print from ${name} t`,
    );
    prints[name] = row?.print ?? '';
  }
  return prints;
}

test.each([
  ['a customer', 'PT403', () => customer],
  ['a visitor', '42501', () => 'anon' as const],
])('%s gets nothing from any request of the console and changes nothing', async (_who, refusal, caller) => {
  const before = await fingerprints();
  const all = await requests();
  const answers = await outcomesOf(
    sql,
    caller(),
    all.map(({ call }) => call),
  );
  expect(answers.filter(({ code }) => code !== refusal)).toEqual([]);
  expect(all.length).toBeGreaterThan(0);
  expect(await fingerprints()).toEqual(before);
});

test('lists answer nonsense, or refuse it in words', async () => {
  const owner = { userId: await insertUser(sql, { administrator: true }) };
  const together = await Promise.all(
    nonsense.filter(isJson).map((jsonb) => requests({ ...plain, jsonb, text: '\t' }, 'admin\\_list\\_%')),
  );
  const calls = [...(await nonsensicalCalls()), ...together.flat()].map(({ call }) => call);
  expect(calls.length).toBeGreaterThan(100);
  const answers = await outcomesOf(sql, owner, calls);
  expect(answers.filter(({ code }) => !['done', 'no rows'].includes(code) && !code.startsWith('PT4'))).toEqual([]);
});

test('nothing is calculated for a customer, not even what is wrong with the request', async () => {
  for (const jsonb of nonsense.filter(isJson))
    for (const timestamptz of ['infinity', '2026-11-16']) {
      const some = { jsonb, timestamptz, date: timestamptz, text: '\t', int4: '-1', int8: '-1' };
      const calls = (await requests(some)).map(({ call }) => call);
      const answers = await outcomesOf(sql, customer, calls);
      expect(answers.filter(({ code }) => code !== 'PT403')).toEqual([]);
    }
});
