import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import postgres, { type Sql } from 'postgres';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { z } from 'zod';
import { migrate } from '../../server/backends/schema/migrate.ts';
import { supabaseDir } from '../support/database.ts';
import { type PlainPostgres, startPlainPostgres } from '../support/plain-postgres.ts';
import { newDataDir, removeDataDir } from '../support/shop.ts';
import { runSupabase } from '../support/supabase-cli.ts';

// Splinter, Supabase's database linter, is part of its CLI: `supabase db advisors` runs it on any database.
const Advice = z.object({
  results: z.array(
    z.object({
      name: z.string(),
      level: z.enum(['ERROR', 'WARN', 'INFO']),
      detail: z.string(),
      metadata: z.object({ schema: z.string(), name: z.string(), fkey_name: z.string().optional() }),
    }),
  ),
});
type Lint = { name: string; level: string; object: string };

let folder: string;
let server: PlainPostgres;
let sql: Sql;
let lints: Lint[];
beforeAll(async () => {
  folder = await newDataDir();
  server = await startPlainPostgres(17);
  sql = postgres({ ...server.connection, max: 2, onnotice: () => {} });
  await migrate(sql, supabaseDir);
  const asked = ['db', 'advisors', '--type', 'all', '--level', 'info', '--output-format', 'json'];
  const told = await runSupabase([...asked, '--db-url', server.address], { home: folder, workdir: folder });
  expect(told.code, told.said).toBe(0);
  const found = Advice.parse(JSON.parse(told.stdout)).results.map(({ name, level, metadata }) => ({
    name,
    level,
    object: metadata.fkey_name ?? `${metadata.schema}.${metadata.name}`,
  }));
  lints = [...found, ...(await newerLints())];
});
afterAll(async () => {
  await sql?.end();
  await server?.stop();
  await removeDataDir(folder);
});

/** What Splinter looks for since 0024, where the CLI's edition of it ends, as far as the shop has anything of the kind. */
async function newerLints(): Promise<Lint[]> {
  const rows = await sql<{ role: string; object: string }[]>`
    select r.role, 'public.' || p.proname as object
    from pg_proc p, unnest(array['anon', 'authenticated']) r (role)
    where p.pronamespace = 'public'::regnamespace and p.prosecdef and has_function_privilege(r.role, p.oid, 'execute')`;
  const listing = await sql<{ object: string }[]>`
    select 'storage.' || b.id as object from storage.buckets b
    where b.public and exists (
      select from pg_policies p where p.schemaname = 'storage' and p.tablename = 'objects' and p.cmd in ('SELECT', 'ALL')
        and p.qual not like '%is_admin%')`;
  return [
    ...rows.map(({ role, object }) => ({
      name: `${role}_security_definer_function_executable`,
      level: 'WARN',
      object,
    })),
    ...listing.map(({ object }) => ({ name: 'public_bucket_allows_listing', level: 'WARN', object })),
  ];
}

/** The table of docs/security.md: lint, level, objects (`*` stands for any name), reason. */
const explained = readFileSync(join(supabaseDir, '../docs/security.md'), 'utf8')
  .split("## Supabase's database linter")[1]
  ?.split('\n## ')[0]
  ?.split('\n')
  .filter((line) => line.startsWith('| `'))
  .map((line) => line.split('|').map((cell) => cell.trim()))
  .map(([, name = '', level = '', objects = '', why = '']) => ({
    name: name.replaceAll('`', ''),
    level,
    objects: [...objects.matchAll(/`([^`]+)`/g)].map(([, object = '']) => object),
    why,
  })) as { name: string; level: string; objects: string[]; why: string }[];
const covers = (pattern: string, object: string) =>
  new RegExp(`^${pattern.replaceAll('.', '\\.').replaceAll('*', '.*')}$`).test(object);
const text = ({ level, name, object }: Lint) => `${level} ${name} ${object}`;

test('Splinter finds no error in the migrated database', () => {
  expect(lints.length).toBeGreaterThan(50);
  expect(lints.filter(({ level }) => level === 'ERROR').map(text)).toEqual([]);
});

test('each remaining warning is explained, and no explanation is out of date', () => {
  const rowsOf = (lint: Lint) => explained.filter(({ name, level }) => name === lint.name && level === lint.level);
  const unexplained = lints.filter(
    (lint) => !rowsOf(lint).some(({ objects }) => objects.some((pattern) => covers(pattern, lint.object))),
  );
  expect(unexplained.map(text)).toEqual([]);
  const gone = explained.flatMap(({ name, level, objects }) =>
    objects
      .filter(
        (pattern) => !lints.some((lint) => lint.name === name && lint.level === level && covers(pattern, lint.object)),
      )
      .map((pattern) => `${level} ${name} ${pattern}`),
  );
  expect(gone).toEqual([]);
  expect(explained.filter(({ why, objects }) => why.length < 20 || objects.length === 0)).toEqual([]);
});

test('functions without a search path are plain SQL with the privileges of the caller', async () => {
  expect(
    await sql`select p.oid::regprocedure::text as name from pg_proc p join pg_language l on l.oid = p.prolang
      where p.pronamespace in ('public'::regnamespace, 'private'::regnamespace)
        and (p.prosecdef or l.lanname <> 'sql') and not coalesce(p.proconfig::text like '%search_path=%', false)`,
  ).toEqual([]);
});
