// Every request of the console, found in the database itself: one that is added tomorrow is tried tomorrow.

import { join } from 'node:path';
import type { Sql } from 'postgres';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { seedDemo } from '../../server/backend/prepare-database.ts';
import { newDatabase, supabaseDir, type TestDatabase } from '../../tests/support/database.ts';
import { as, type Caller, insertUser } from '../../tests/support/rows.ts';

type Request = { name: string; call: string };

let database: TestDatabase;
let sql: Sql;
let customer: Caller;
beforeAll(async () => {
  database = await newDatabase(inject('postgresPath'));
  sql = database.sql;
  await seedDemo(sql, join(supabaseDir, 'seeds'));
  customer = { userId: await insertUser(sql) };
});
afterAll(() => database.drop());

/** Each with an argument of the right type for every parameter. */
const requests = () => sql<Request[]>`
  select p.oid::regprocedure::text as name,
         format('select public.%I(%s)', p.proname,
                (select string_agg(format('%s::%s', coalesce(s.sample, 'null'), format_type(a.type, null)), ', ' order by a.place)
                 from unnest(p.proargtypes) with ordinality a (type, place)
                 left join (values ('jsonb', '''{}'''), ('int4', '1'), ('int8', '1'), ('bool', 'true'), ('text', '''x''')) s (type, sample)
                   on s.type = (select typname from pg_type where oid = a.type))) as call
  from pg_proc p where p.pronamespace = 'public'::regnamespace and p.proname like 'admin\\_%' order by 1`;

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
  const answers: Record<string, string> = {};
  const all = await requests();
  for (const { name, call } of all)
    answers[name] = await as(sql, caller(), (tx) => tx.unsafe(call)).then(
      () => 'answered',
      (error: { code: string }) => error.code,
    );
  expect(answers).toEqual(Object.fromEntries(all.map(({ name }) => [name, refusal])));
  expect(all.length).toBeGreaterThan(0);
  expect(await fingerprints()).toEqual(before);
});
