import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { migrate } from '../../server/backends/schema/migrate.ts';
import { readMigrations, recordedChecksum } from '../../server/backends/schema/migration-history.ts';
import { newDatabase, supabaseDir, type TestDatabase } from '../../tests/support/database.ts';
import { as } from '../../tests/support/rows.ts';

let database: TestDatabase;
let folder: string;

beforeAll(async () => {
  database = await newDatabase(inject('postgresPath'));
  folder = await mkdtemp(join(tmpdir(), 'mithaas-migrations-'));
  await mkdir(join(folder, 'migrations'));
});
afterAll(async () => {
  await database.drop();
  await rm(folder, { recursive: true });
});

const step = (version: number, name: string, text: string) =>
  writeFile(join(folder, 'migrations', `${version}_${name}.sql`), text);

test('visitors learn the checksum of every migration, as web nodes compute it from the files', async () => {
  const [row] = await as(database.sql, 'anon', (tx) => tx`select public.schema_checksums() as checksums`);
  const { migrations: files } = await readMigrations(supabaseDir);
  expect(row?.checksums).toEqual(
    Object.fromEntries(files.map(({ version, text }) => [version, recordedChecksum([text])])),
  );
});

test('a database in use is taken to the next version with its rows, and a failing step changes nothing', async () => {
  const { sql } = database;
  await step(
    20990101000000,
    'create_tins',
    "create table public.tins (name text); insert into public.tins values ('round');",
  );
  expect(await migrate(sql, folder)).toEqual({ applied: ['20990101000000_create_tins.sql'] });

  await step(
    20990102000000,
    'add_size',
    "alter table public.tins add column grams integer default 500; update public.tins set name = 'oval';",
  );
  await step(20990103000000, 'break', 'alter table public.tins add column lid text; select 1 / 0;');
  await expect(migrate(sql, folder)).rejects.toThrow(/20990103000000_break\.sql failed: division by zero/);
  expect(await sql`select * from public.tins`).toEqual([{ name: 'oval', grams: 500 }]);

  await step(20990103000000, 'break', 'alter table public.tins add column lid text;');
  expect(await migrate(sql, folder)).toEqual({ applied: ['20990103000000_break.sql'] });
  expect(await sql`select * from public.tins`).toEqual([{ name: 'oval', grams: 500, lid: null }]);
});

test('a migration that was edited after it was applied stops the next start, named, and changes nothing', async () => {
  const { sql } = database;
  await step(20990104000000, 'add_label', 'alter table public.tins add column label text;');
  await migrate(sql, folder);
  await step(20990104000000, 'add_label', "alter table public.tins add column label text default 'sweets';");
  await step(20990105000000, 'add_colour', 'alter table public.tins add column colour text;');
  await expect(migrate(sql, folder)).rejects.toThrow(
    /^Migration 20990104000000_add_label\.sql was edited after it was applied to this database\..*put back the file/,
  );
  expect(await sql`select * from public.tins`).toEqual([{ name: 'oval', grams: 500, lid: null, label: null }]);

  await step(20990104000000, 'add_label', 'alter table public.tins add column label text;');
  expect(await migrate(sql, folder)).toEqual({ applied: ['20990105000000_add_colour.sql'] });
});

test('a database from before there were checksums is recognised by the texts it has recorded', async () => {
  const { sql } = database;
  await sql`drop table supabase_migrations.checksums`;
  expect(await migrate(sql, folder)).toEqual({ applied: [] });
  const [recorded] =
    await sql`select count(*)::int as count from supabase_migrations.checksums where version like '2099%'`;
  expect(recorded?.count).toBe(5);

  await sql`drop table supabase_migrations.checksums`;
  await step(20990105000000, 'add_colour', "alter table public.tins add column colour text default 'red';");
  await expect(migrate(sql, folder)).rejects.toThrow(
    /made by an earlier version of the shop, in which Migration 20990105000000_add_colour\.sql had another text\./,
  );
});

test('so is one that the Supabase CLI made, which records statements without the text between them', async () => {
  const { sql } = database;
  await sql`drop table if exists supabase_migrations.checksums`;
  await sql`update supabase_migrations.schema_migrations set statements = array['-- a tin', 'alter table public.tins
    add column colour text'] where version = '20990105000000'`;
  await step(20990105000000, 'add_colour', '-- a tin\n\nalter table public.tins\n    add column colour text;\n');
  expect(await migrate(sql, folder)).toEqual({ applied: [] });

  await sql`drop table supabase_migrations.checksums`;
  await step(20990105000000, 'add_colour', '-- a tin\n\nalter table public.tins\n    add column color text;\n');
  await expect(migrate(sql, folder)).rejects.toThrow(
    /in which Migration 20990105000000_add_colour\.sql had another text/,
  );
});
