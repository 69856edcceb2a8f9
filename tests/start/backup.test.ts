import { execFile, spawn } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import postgres, { type Sql } from 'postgres';
import sharp from 'sharp';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { migrate } from '../../server/backends/schema/migrate.ts';
import { readMigrations, versionsIn } from '../../server/backends/schema/migration-history.ts';
import { grantSystemSchemas, prepareRoles } from '../../server/backends/schema/prepare-database.ts';
import { readConfig, type ShopConfig } from '../../server/config.ts';
import { provisionSystemSchemas } from '../../server/lite/lite.ts';
import { encoded, readRecords, writeBackupFile } from '../../server/operations/backup/backup-file.ts';
import { makeBackup } from '../../server/operations/backup/make-backup.ts';
import { restoreBackup } from '../../server/operations/backup/restore-backup.ts';
import { databaseAt } from '../../server/postgres/database-address.ts';
import { type EmbeddedPostgres, startEmbeddedPostgres } from '../../server/postgres/embedded-postgres.ts';
import { buyOverHttp, setAddress } from '../support/buying.ts';
import { copyFilledShop } from '../support/filled-shop.ts';
import {
  newDataDir,
  plainEnvironment,
  type RunningShop,
  removeDataDir,
  startShop,
  tryStartShop,
} from '../support/shop.ts';
import { newCustomer, type ShopClient, signInAs, tokenOf, userIdOf } from '../support/visitor.ts';
import { eventually, leftoversOf, withSql } from './processes.ts';

// The tests of this file run in order: a shop, its backups, and what is restored from them.
const root = join(import.meta.dirname, '../..');
const supabaseDir = join(root, 'supabase');
const upload = 'before/kaju-katli-960.webp';
let folder: string;
let shop: RunningShop;
let customer: ShopClient;
let picture: Buffer;
let orderId: string;

const at = (name: string) => join(folder, name);

beforeAll(async () => {
  folder = await newDataDir();
  shop = await startShop({ dataDir: await copyFilledShop(at('first')) });
  customer = await newCustomer(shop.url);
  await setAddress(customer);
  orderId = await buyOverHttp(shop.url, customer, [{ productId: 1, quantity: 1, size: 500 }]);
  picture = await sharp({ create: { width: 64, height: 48, channels: 3, background: '#f4a300' } })
    .webp()
    .toBuffer();
  const administrator = await signInAs(shop.url, { account: 'Asha Rao' });
  const stored = await administrator.storage
    .from('products')
    .upload(upload, new Blob([new Uint8Array(picture)], { type: 'image/webp' }));
  expect(stored.error).toBeNull();
});

afterAll(async () => {
  await shop?.stop();
  await removeDataDir(folder);
});

type Answer = { code: number; said: string; complained: string };
type Env = Record<string, string>;

function run(script: 'backup' | 'restore', args: string[], env: Env): Promise<Answer> {
  return new Promise((resolve) => {
    execFile(
      process.execPath,
      [`scripts/${script}.ts`, ...args],
      { cwd: root, env: { ...plainEnvironment(), ...env } },
      (error, said, complained) =>
        resolve({ code: error ? Number(error.code) : 0, said: said.trim(), complained: complained.trim() }),
    );
  });
}

function settings(env: Env): ShopConfig {
  const read = readConfig(env);
  if (!read.ok) throw new Error(read.problem);
  return read.config;
}

/** What the command does, without a process of its own. */
function restoreHere(name: string, env: Env, step: (message: string) => void = () => {}) {
  return restoreBackup({ config: settings(env), file: at(name), supabaseDir: join(root, 'supabase'), step });
}

/** Every row of every table and every sequence, in one line each; without what no crash survives (unlogged). */
async function contentsOf(sql: Sql): Promise<Record<string, string>> {
  const tables = await sql<{ name: string }[]>`
    select c.oid::regclass::text as name from pg_class c join pg_namespace n on n.oid = c.relnamespace
    where c.relkind = 'r' and c.relpersistence = 'p'
      and n.nspname in ('public', 'private', 'auth', 'storage', 'demo') order by 1`;
  const contents: Record<string, string> = {};
  for (const { name } of tables) {
    const [row] = await sql.unsafe<{ what: string }[]>(
      `select count(*) || ' rows ' || coalesce(md5(string_agg(t::text, E'\n' order by t::text)), '') as what from ${name} t`,
    );
    contents[name] = row?.what ?? '';
  }
  const sequences = await sql<{ name: string }[]>`
    select format('%I.%I', schemaname, sequencename) as name from pg_sequences
    where schemaname in ('public', 'private', 'demo') order by 1`;
  for (const { name } of sequences) {
    const [row] = await sql.unsafe<{ what: string }[]>(`select last_value || ' ' || is_called as what from ${name}`);
    contents[name] = row?.what ?? '';
  }
  return contents;
}

async function withServer<T>(name: string, use: (server: EmbeddedPostgres, sql: Sql) => Promise<T>): Promise<T> {
  const server = await startEmbeddedPostgres({ dataDir: at(name), log: () => {} });
  const sql = postgres({ ...server.connection, max: 2, onnotice: () => {} });
  try {
    return await use(server, sql);
  } finally {
    await sql.end({ timeout: 5 });
    await server.stop();
  }
}

test('a backup of a running shop is consistent although customers keep writing', async () => {
  // What a volume has of its own, and what a restore left behind, is not of the shop.
  for (const name of ['lost+found', '.restoring/products']) {
    mkdirSync(join(shop.dataDir, 'files', name), { recursive: true });
    writeFileSync(join(shop.dataDir, 'files', name, 'nobodys.webp'), 'nothing of ours');
  }
  let isWriting = true;
  let written = 0;
  // Two rows in two tables, both or none: one is read long before the other.
  const writing = withSql(shop.dataDir, async (sql) => {
    while (isWriting) {
      await sql.begin(async (transaction) => {
        await transaction`insert into auth.audit_log_entries (id, payload) values (gen_random_uuid(), '{"a": "backup"}')`;
        await transaction`insert into public.vendors (name) values (${`backup ${written}`})`;
      });
      written += 1;
    }
  });
  await eventually(() => written > 10, 'the first rows are written');
  const answer = await run('backup', [at('live.backup')], { DATA_DIR: shop.dataDir });
  isWriting = false;
  await writing;
  expect(answer).toMatchObject({ code: 0, complained: '' });
  expect(answer.said.split('\n').at(-1)).toMatch(/^Backed up into .*live\.backup: \d+ tables, [\d,]+ rows, 1 file, /);
  expect(statSync(at('live.backup')).mode & 0o777).toBe(0o600);

  const rows: Record<string, number> = {};
  for await (const { head, body } of readRecords(at('live.backup'))) {
    let text = '';
    for await (const bytes of body) text += bytes;
    if (head.kind === 'table') rows[`${head.schema}.${head.name}`] = text.split('backup').length - 1;
  }
  expect(rows['auth.audit_log_entries']).toBeGreaterThan(10);
  expect(rows['auth.audit_log_entries']).toBeLessThanOrEqual(written);
  expect(rows['public.vendors']).toBe(rows['auth.audit_log_entries']);
});

test('a stopped shop is backed up too, and no backup is overwritten', async () => {
  await shop.stop();
  expect(await run('backup', [at('still.backup')], { DATA_DIR: shop.dataDir })).toMatchObject({ code: 0 });
  expect(leftoversOf(shop.dataDir)).toEqual([]);
  const before = readFileSync(at('still.backup'));
  expect(await run('backup', [at('still.backup')], { DATA_DIR: shop.dataDir })).toMatchObject({
    code: 1,
    complained: `${at('still.backup')} is there already: choose another name.`,
  });
  expect(readFileSync(at('still.backup')).equals(before)).toBe(true);
  expect(readdirSync(folder).filter((name) => name.includes('unfinished'))).toEqual([]);
});

test('a truncated, changed or foreign file is refused, and nothing is written', async () => {
  const whole = readFileSync(at('still.backup'));
  const changed = Buffer.from(whole);
  changed.writeUInt8(changed.readUInt8(whole.length >> 1) ^ 1, whole.length >> 1);
  writeFileSync(at('cut.backup'), whole.subarray(0, -1000));
  writeFileSync(at('changed.backup'), changed);
  writeFileSync(at('empty.backup'), '');
  const sentence = (name: string) =>
    `${at(name)} is not a whole backup: it was cut off or changed. Nothing was restored.`;
  expect(await run('restore', [at('cut.backup')], { DATA_DIR: at('nowhere') })).toEqual({
    code: 1,
    said: '',
    complained: sentence('cut.backup'),
  });
  for (const name of ['changed.backup', 'empty.backup'])
    await expect(restoreHere(name, { DATA_DIR: at('nowhere') })).rejects.toThrow(sentence(name));
  expect(existsSync(at('nowhere'))).toBe(false);
});

test('restoring into a folder that holds a shop or files is refused and changes nothing', async () => {
  const before = readdirSync(shop.dataDir);
  await expect(restoreHere('still.backup', { DATA_DIR: shop.dataDir, FILES_DIR: at('no-files') })).rejects.toThrow(
    `${shop.dataDir} holds a shop already: a backup is restored into an empty folder.`,
  );
  expect(readdirSync(shop.dataDir)).toEqual(before);

  mkdirSync(at('files/products'), { recursive: true });
  await expect(restoreHere('still.backup', { DATA_DIR: at('nowhere'), FILES_DIR: at('files') })).rejects.toThrow(
    `${at('files')} holds files already: a backup is restored into an empty place.`,
  );
  expect(existsSync(at('nowhere'))).toBe(false);
});

test('a restore that is killed leaves no shop to open', async () => {
  const restoring = spawn(process.execPath, ['scripts/restore.ts', at('still.backup')], {
    cwd: root,
    env: { ...plainEnvironment(), DATA_DIR: at('second') },
  });
  const ended = new Promise((resolve) => restoring.once('exit', (_code, signal) => resolve(signal)));
  await eventually(() => existsSync(at('second/restoring/postgres')), 'the restore has begun');
  restoring.kill('SIGKILL');
  expect(await ended).toBe('SIGKILL');
  expect(existsSync(at('second/postgres'))).toBe(false);
  // As if it had come further: files and keys are in their places before the database is, and some were still on their way.
  mkdirSync(at('second/files/products'), { recursive: true });
  mkdirSync(at('second/files/.restoring/banners'), { recursive: true });
  writeFileSync(at('second/files/.restoring/banners/yesterdays.webp'), 'of another backup');
  writeFileSync(at('second/files/products/half.webp'), 'half');
  writeFileSync(at('second/keys.json'), '{}');
  const started = await tryStartShop({ dataDir: at('second') });
  expect(started).toMatchObject({ code: 1, output: expect.stringContaining('was broken off. Run it again') });
});

test('other files are not mistaken for the leftovers of a failed restore', async () => {
  mkdirSync(at('others/products'), { recursive: true });
  writeFileSync(at('others/products/theirs.webp'), 'theirs');
  await expect(restoreHere('still.backup', { DATA_DIR: at('second'), FILES_DIR: at('others') })).rejects.toThrow(
    `${at('others')} holds files already: a backup is restored into an empty place.`,
  );
  expect(readFileSync(at('others/products/theirs.webp'), 'utf8')).toBe('theirs');
});

test('restoring a second time brings back every row, sequence and file', async () => {
  const [answer, then] = await Promise.all([
    run('restore', [at('still.backup')], { DATA_DIR: at('second') }),
    withServer('first', async (server, sql) => {
      await restoreOlder(server, sql);
      return contentsOf(sql);
    }),
  ]);
  expect(answer).toMatchObject({ code: 0, complained: '' });
  expect(answer.said.split('\n').at(-1)).toMatch(
    /^Restored into .*second, as of .*: \d+ tables, [\d,]+ rows, 1 file\./,
  );
  expect(readdirSync(at('second')).filter((name) => name !== 'lock')).toEqual(['files', 'keys.json', 'postgres']);
  expect(statSync(at('second/keys.json')).mode & 0o777).toBe(0o600);
  expect(readdirSync(at('second/files'), { recursive: true }).sort()).toEqual([
    'products',
    'products/before',
    `products/${upload}`,
  ]);
  expect(readFileSync(at('second/keys.json'))).toEqual(readFileSync(at('first/keys.json')));

  const now = await withServer('second', (_server, sql) => contentsOf(sql));
  expect(Object.keys(then).length).toBeGreaterThan(100);
  expect(now).toEqual(then);
});

async function* withOddRow(file: string): AsyncGenerator<Uint8Array> {
  for await (const { head, body } of readRecords(file)) {
    const pieces = [];
    for await (const piece of body) pieces.push(piece);
    if (head.kind === 'table' && head.name === 'vendors') pieces.push(Buffer.from('no number\n'));
    yield* encoded(head, pieces);
  }
}

/** Beside the comparison above, because there a server runs: an older schema, at a DATABASE_URL. */
async function restoreOlder(server: EmbeddedPostgres, admin: Sql): Promise<void> {
  const addressOf = (database: string) =>
    `postgres://postgres@localhost/${database}?host=${encodeURIComponent(server.socketDir)}`;
  const withDatabase = async <T>(database: string, use: (sql: Sql) => Promise<T>): Promise<T> => {
    const sql = postgres({ ...server.connection, database, max: 2, onnotice: () => {} });
    return use(sql).finally(() => sql.end({ timeout: 5 }));
  };
  await admin.unsafe('create database older').simple();
  await admin.unsafe('create database newer').simple();
  const all = [...versionsIn(await readMigrations(supabaseDir))].sort();
  const older = new Set(all.slice(0, 12));
  await withDatabase('older', async (sql) => {
    await prepareRoles(sql);
    await provisionSystemSchemas({ ...server.connection, database: 'older' });
    await grantSystemSchemas(sql);
    await migrate(sql, supabaseDir, older);
    await sql`insert into private.instance (name, value) values ('real', 'started')`;
    await sql`insert into public.vendors (name) values ('Older than invoices')`;
  });
  await makeBackup({
    config: settings({ DATABASE_URL: addressOf('older'), FILES_DIR: at('no-files') }),
    connection: databaseAt(addressOf('older')),
    file: at('older.backup'),
    step: () => {},
  });
  const target = { DATABASE_URL: addressOf('newer'), FILES_DIR: at('no-files') };
  const steps: string[] = [];
  await restoreHere('older.backup', target, (message) => steps.push(message));
  expect(steps).toContain(`Database migrated: ${all.length - older.size - 1} steps`);
  await withDatabase('newer', async (sql) => {
    const versions = await sql<{ version: string }[]>`select version from supabase_migrations.schema_migrations`;
    expect(versions.map((row) => row.version).sort()).toEqual(all);
    expect(await sql`select name from public.vendors`).toEqual([{ name: 'Older than invoices' }]);
    expect(await sql`select * from public.check_invariants()`).toEqual([]);
  });
  await expect(restoreHere('older.backup', target)).rejects.toThrow(
    'This database is not empty: a backup is restored into an empty one.',
  );
  if (!process.env.SOAK) return;

  // Whole, but with a last row that no table takes: nothing hangs, and no shop opens on what is there.
  await writeBackupFile(at('odd.backup'), withOddRow(at('older.backup')));
  await admin.unsafe('create database odd').simple();
  const odd = { DATABASE_URL: addressOf('odd'), FILES_DIR: at('no-files') };
  await expect(restoreHere('odd.backup', odd)).rejects.toThrow(/^"public"."vendors" could not be filled: /);
  await expect(restoreHere('older.backup', odd)).rejects.toThrow('A restore into this database was broken off');
  const started = await tryStartShop({ dataDir: at('odd'), env: { ...odd, SHOP_DEMO: '0' } });
  expect(started).toMatchObject({ code: 1, output: expect.stringContaining('was broken off') });
}

test('the restored shop opens: sessions still work, pictures are there, and order numbers continue', async () => {
  // As if it had been killed when nothing but these was left to be done.
  for (const left of ['second/restoring/postgres', 'second/files/.restoring']) mkdirSync(at(left), { recursive: true });
  const port = new URL(shop.url).port; // where the session believes the shop to be
  shop = await startShop({ dataDir: at('second'), env: { PORT: port } });
  for (const left of ['second/restoring', 'second/files/.restoring']) expect(existsSync(at(left))).toBe(false);
  const { data } = await customer.from('orders').select('id, number');
  expect(data?.map((order) => order.id)).toEqual([orderId]);
  const refreshed = await customer.auth.refreshSession();
  expect(refreshed.error).toBeNull();
  expect(await tokenOf(customer)).toBe(refreshed.data.session?.access_token);
  expect(await userIdOf(customer)).toBe(refreshed.data.user?.id);

  const stored = await fetch(`${shop.url}/storage/v1/object/public/products/${encodeURI(upload)}`);
  expect(Buffer.from(await stored.arrayBuffer()).equals(picture)).toBe(true);

  const newer = await buyOverHttp(shop.url, customer, [{ productId: 1, quantity: 1, size: 500 }]);
  const { data: orders } = await customer.from('orders').select('id, number').order('number');
  expect(orders?.map((order) => order.id)).toEqual([orderId, newer]);
});
