import { execFile } from 'node:child_process';
import { existsSync, readdirSync, rmSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import postgres, { type Sql } from 'postgres';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type EmbeddedPostgres, startEmbeddedPostgres } from '../../server/postgres/embedded-postgres.ts';
import { newDataDir, type RunningShop, removeDataDir, startShop, tryStartShop } from '../support/shop.ts';
import { newCustomer, publicEnvironment, tokenOf, userIdOf } from '../support/visitor.ts';
import { demoCounts, eventually } from './processes.ts';

// A PostgreSQL that the shops did not start; what they need of it they must make themselves, roles included.
let folder: string;
let server: EmbeddedPostgres;
let shops: RunningShop[] = [];

/** Each start has a socket folder of its own; the link is the address that stays. */
async function startServer(): Promise<void> {
  server = await startEmbeddedPostgres({ dataDir: join(folder, 'server'), log: () => {} });
  rmSync(join(folder, 'socket'), { force: true });
  symlinkSync(server.socketDir, join(folder, 'socket'));
}

const addressOf = (database: string) =>
  `postgres://postgres@localhost/${database}?host=${encodeURIComponent(join(folder, 'socket'))}`;
const startOn = (address: string, name: string) =>
  startShop({ dataDir: join(folder, name), env: { DATABASE_URL: address } });

async function withDatabase<T>(database: string, use: (sql: Sql) => Promise<T>): Promise<T> {
  const sql = postgres({ ...server.connection, database, max: 1, onnotice: () => {} });
  try {
    return await use(sql);
  } finally {
    await sql.end({ timeout: 5 });
  }
}

beforeAll(async () => {
  folder = await newDataDir();
  await startServer();
  await withDatabase('postgres', (sql) => sql.unsafe('create database shared'));
});

afterAll(async () => {
  await Promise.all(shops.map((shop) => shop.stop()));
  await server?.stop();
  await removeDataDir(folder);
});

test('two shops that start at once on an empty database both open, and it is migrated and filled once', async () => {
  const started = await Promise.allSettled(['first', 'second'].map((name) => startOn(addressOf('shared'), name)));
  shops = started.flatMap((one) => (one.status === 'fulfilled' ? [one.value] : []));
  expect(started.flatMap((one) => (one.status === 'rejected' ? [String(one.reason)] : []))).toEqual([]);
  for (const said of ['Database migrated', 'Demo shop filled'])
    expect(shops.filter((shop) => shop.output().includes(said))).toHaveLength(1);
  const migrations = readdirSync(join(import.meta.dirname, '../../supabase/migrations')).length;
  expect(await withDatabase('shared', demoCounts)).toMatchObject({
    products: 38,
    seeded: 1,
    violations: 0,
    migrations,
  });
});

/** Both shops, started again if the start above lost one: what follows is worth knowing on its own. */
async function twoShops(): Promise<[RunningShop, RunningShop]> {
  while (shops.length < 2) shops.push(await startOn(addressOf('shared'), `again-${shops.length}`));
  return shops as [RunningShop, RunningShop];
}

test('a session from one of them works on the other, and what one stores the other shows', async () => {
  const [one, other] = await twoShops();
  const [here, there] = await Promise.all([publicEnvironment(one.url), publicEnvironment(other.url)]);
  expect(there.key).toBe(here.key);
  const customer = await newCustomer(one.url);
  const saved = await customer.from('user_profiles').insert({ user_id: await userIdOf(customer), city: 'Nashik' });
  expect(saved.error).toBe(null);
  const headers = { apikey: there.key, authorization: `Bearer ${await tokenOf(customer)}` };
  const response = await fetch(`${other.url}/rest/v1/user_profiles?select=city`, { headers });
  expect(await response.json()).toEqual([{ city: 'Nashik' }]);
});

test('they start no database of their own and keep no keys in their folder', async () => {
  for (const { dataDir } of await twoShops()) {
    const kept = existsSync(dataDir) ? readdirSync(dataDir) : [];
    expect(kept.filter((name) => name !== 'files')).toEqual([]);
  }
});

test('admin:grant finds the same database', async () => {
  const [shop] = await twoShops();
  const customer = await newCustomer(shop.url);
  const email = (await customer.auth.getUser()).data.user?.email ?? '';
  const script = join(import.meta.dirname, '../../scripts/admin-grant.ts');
  const env = { PATH: process.env.PATH, DATABASE_URL: addressOf('shared') };
  const { stdout } = await promisify(execFile)(process.execPath, [script, email], { env, cwd: folder });
  expect(stdout).toBe(`${email} is an administrator now.\n`);
  const answer = await customer.rpc('is_administrator', { user_id: await userIdOf(customer) });
  expect(answer.data).toBe(true);
});

test('one stops, the database and the other go on', async () => {
  const [one, other] = await twoShops();
  expect(await one.stop('SIGTERM')).toBe(0);
  shops = [other];
  expect((await fetch(`${other.url}/healthz`)).status).toBe(200);
  expect((await fetch(`${other.url}/`)).status).toBe(200);
});

test('a database that goes away makes the shop unhealthy, and when it is back the shop serves again', async () => {
  const [shop] = shops as [RunningShop];
  const { url, key } = await publicEnvironment(shop.url);
  const ask = async (path: string) => (await fetch(`${url}${path}`, { headers: { apikey: key } })).status;
  await server.stop();
  expect(await ask('/healthz')).toBe(503);
  await startServer();
  await eventually(async () => (await ask('/healthz')) === 200, 'healthy again', 20_000);
  await eventually(async () => (await ask('/rest/v1/Products?select=Id')) === 200, 'serving again', 20_000);
  expect(await ask('/')).toBe(200);
  expect(shop.process.exitCode).toBe(null);
});

test('a database that cannot be reached stops the start with one line that keeps the password', async () => {
  const env = { DATABASE_URL: 'postgres://me:hush-hush@127.0.0.1:9/shop' };
  const failed = await tryStartShop({ dataDir: join(folder, 'unreachable'), env });
  expect(failed).toMatchObject({ code: 1 });
  const lines = (failed.output as string).split('\n').filter(Boolean);
  expect(lines).toHaveLength(1);
  expect(lines[0]).not.toContain('hush-hush');
});
