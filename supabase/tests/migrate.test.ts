import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { migrate } from '../../server/backend/migrate.ts';
import { newDatabase, type TestDatabase } from '../../tests/support/database.ts';

let database: TestDatabase;
let folder: string;

beforeAll(async () => {
  database = await newDatabase(inject('postgresPath'));
  folder = await mkdtemp(join(tmpdir(), 'mithaas-migrations-'));
});
afterAll(async () => {
  await database.drop();
  await rm(folder, { recursive: true });
});

const step = (version: number, name: string, text: string) => writeFile(join(folder, `${version}_${name}.sql`), text);

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
