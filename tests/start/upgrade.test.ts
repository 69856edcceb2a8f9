import postgres, { type Sql } from 'postgres';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Catalogue, compareCatalogues, readCatalogue } from '../../scripts/schema/catalogue.ts';
import { readConfig } from '../../server/config.ts';
import { copyName } from '../../server/operations/move/kept-copies.ts';
import { moveShop } from '../../server/operations/move/move-shop.ts';
import { startEmbeddedPostgres } from '../../server/postgres/embedded-postgres.ts';
import { withConnection } from '../../server/postgres/shop-database.ts';
import { recordHistory } from '../support/before-baseline.ts';
import { supabaseDir } from '../support/database.ts';
import { copyFilledShop } from '../support/filled-shop.ts';
import { insertUser } from '../support/rows.ts';
import { type RunningShop, removeDataDir, startShop, tryStartShop } from '../support/shop.ts';
import { demoCounts, leftoversOf, told, withSql } from './processes.ts';

// The tests of this file run in order: a shop of an earlier version, its update, its next start, an edited file.
const EARLIER = '20261116002300_know_places_of_supply.sql';
/** What the update records instead of the history: it makes the database from the migrations of today. */
const BASELINE = '20261121000000_create_shop.sql';
const dayMs = 24 * 60 * 60 * 1000;
let dataDir: string;
let shop: RunningShop | undefined;
let before: { counts: unknown; catalogue: Catalogue; userId: string };

beforeAll(async () => {
  dataDir = await copyFilledShop();
  before = await withStoppedShop(async (sql) => {
    const facts = { counts: await rowCounts(sql), catalogue: await readCatalogue(sql), userId: await insertUser(sql) };
    await recordHistory(sql);
    await makeEarlier(sql);
    return facts;
  });
});
afterAll(async () => {
  await shop?.stop();
  await removeDataDir(dataDir);
});

async function withStoppedShop<T>(use: (sql: Sql) => Promise<T>): Promise<T> {
  const server = await startEmbeddedPostgres({ dataDir, log: () => {} });
  const sql = postgres({ ...server.connection, max: 1, onnotice: () => {} });
  try {
    return await use(sql);
  } finally {
    await sql.end();
    await server.stop();
  }
}

/** As shops were before there were checksums: a function, an index and a constraint of theirs are not today's. */
async function makeEarlier(sql: Sql): Promise<void> {
  await sql.unsafe(`
    drop table supabase_migrations.checksums;
    update supabase_migrations.schema_migrations set statements = array['-- an earlier wording' || statements[1]]
      where version = '${EARLIER.slice(0, 14)}';
    create or replace function private.day_of(at timestamptz) returns date language sql stable set search_path = ''
      as $$ select '2001-01-01'::date $$;
    create function private.gone_today() returns integer language sql as $$ select 1 $$;
    drop index private.checkouts_order_id_key;
    create table public.left_over (note text);
    insert into public.left_over values ('not to be lost');`);
  await sql.unsafe('create database shop_rebuilding'); // what a killed update leaves
}

/** The schema of extensions is the superuser's where it made the database. */
const differencesIn = async (sql: Sql) =>
  compareCatalogues(before.catalogue, await readCatalogue(sql))
    .map(({ key }) => key)
    .filter((key) => key !== 'schema extensions');
const rowCounts = (sql: Sql) => demoCounts(sql).then((row) => ({ ...row, migrations: undefined }));
const databases = (sql: Sql) =>
  sql`select datname from pg_database where not datistemplate order by 1`.then((rows) =>
    rows.map((row) => row.datname),
  );

test('a shop of an earlier version with rows that have no table today stays unchanged, and names the table', async () => {
  const failed = await tryStartShop({ dataDir });
  expect(failed).toMatchObject({ code: 1 });
  expect(told(failed.output as string).at(-1)).toMatch(
    /no place for the table public\.left_over\. Nothing was changed/,
  );
  expect(leftoversOf(dataDir)).toEqual([]);
  await withStoppedShop(async (sql) => {
    expect(await sql`select note from public.left_over`).toEqual([{ note: 'not to be lost' }]);
    await sql.unsafe('drop table public.left_over');
  });
});

test('a shop of an earlier version is moved into an empty database with the current functions', async () => {
  await withStoppedShop(async (sql) => {
    await sql.unsafe('create database moved');
    const { path, user } = sql.options as unknown as { path: string; user: string };
    const read = readConfig({ DATA_DIR: dataDir });
    if (!read.ok) throw new Error(read.problem);
    const target = { path, user, database: 'moved' };
    const moved = await moveShop({
      config: read.config,
      connection: { path, user, database: 'postgres' },
      target,
      files: null,
      supabaseDir,
      signal: new AbortController().signal,
      step: () => {},
    });
    expect(moved.figures.every(({ here, there }) => here === there)).toBe(true);
    await withConnection(target, async (there) => {
      expect(await rowCounts(there)).toEqual(before.counts);
      // Who owns and may read what is there is the target's own matter, and realtime begins with its first start.
      const compared = /^(function|column|constraint|index|trigger|policy) (public|private)\./;
      const differences = await differencesIn(there);
      expect(differences.filter((key) => compared.test(key) && !key.includes('.zz_realtime_'))).toEqual([]);
    });
    await sql.unsafe('drop database moved');
  });
});

test('a shop of an earlier version starts with the current functions and every row it had', async () => {
  shop = await startShop({ dataDir });
  expect(shop.output()).toContain('  Updating the database: 1 migration had another text when it was made\n');
  await withSql(dataDir, async (sql) => {
    expect(await rowCounts(sql)).toEqual(before.counts);
    expect(await differencesIn(sql)).toEqual([]);
    expect(await sql`select from auth.users where id = ${before.userId}`).toHaveLength(1);
    expect(await databases(sql)).toEqual(['postgres', expect.stringMatching(/^shop_before_update_\d{8}_\d{6}$/)]);
  });
  expect(await shop.stop()).toBe(0);
});

test('its next starts have nothing to update, and keep the copy of the earlier version for 30 days', async () => {
  const copyFrom = (at: number) => copyName(new Date(at));
  const [recent, old] = [copyFrom(Date.now() - 29 * dayMs), copyFrom(Date.now() - 31 * dayMs)];
  await withStoppedShop(async (sql) => {
    const [, copy] = await databases(sql);
    await sql.unsafe(`alter database ${copy} rename to ${recent}`);
    await sql.unsafe(`create database ${old}`);
    await sql.unsafe('create database shop_before_update'); // the name that copies had before they were dated
  });
  shop = await startShop({ dataDir });
  expect(shop.output()).not.toContain('Updating the database');
  const [, first, second, ...more] = await withSql(dataDir, databases);
  expect([first, more]).toEqual([recent, []]);
  expect(second).toMatch(/^shop_before_update_\d{8}_\d{6}$/);
  expect(await shop.stop()).toBe(0);
});

test('a migration that differs from the applied one stops the start with one sentence that names it', async () => {
  await withStoppedShop(
    (sql) => sql`update supabase_migrations.checksums set sha256 = 'other' where version = ${BASELINE.slice(0, 14)}`,
  );
  const failed = await tryStartShop({ dataDir });
  expect(failed).toMatchObject({ code: 1 });
  const said = told(failed.output as string).filter((line) => !line.startsWith('  '));
  expect(said).toEqual([
    `Migration ${BASELINE} was edited after it was applied to this database. Applied migrations never change: put back ` +
      'the file as it was released, and write the change as a new migration. Nothing was changed.',
  ]);
  expect(leftoversOf(dataDir)).toEqual([]);
});
