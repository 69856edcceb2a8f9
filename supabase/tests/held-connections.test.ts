import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { createLite, type Lite } from '../../server/lite/lite.ts';
import { createPool } from '../../server/postgres/pool.ts';
import { createTransactionPool } from '../../server/postgres/transaction-pool.ts';
import { newDatabase, type TestDatabase } from '../../tests/support/database.ts';

const publishableKey = 'sb_publishable_held';
let database: TestDatabase;
let lite: Lite;

beforeAll(async () => {
  database = await newDatabase(inject('postgresPath'));
  lite = await createLite({
    connection: database.connection,
    keys: { publishableKey, secretKey: 'sb_secret_held', jwtSecret: 'held'.repeat(8) },
    siteUrl: 'http://localhost',
    apiUrl: 'http://localhost',
    redirectUrls: [],
    social: { name: 'google', clientId: 'unused', clientSecret: 'unused' },
    filesDir: '.',
    connections: { 'data-api': 3, 'sign-in': 1 },
    log: () => {},
  });
  expect((await read()).status).toBe(200);
});
afterAll(async () => {
  await lite.close();
  await database.drop();
});

const headers = { apikey: publishableKey, 'content-type': 'application/json' };
const read = () => lite.fetch(new Request('http://localhost/rest/v1/shop_settings?select=name', { headers }));
const inTransaction = async () =>
  (
    await database.sql<{ count: number }[]>`
      select count(*)::int as count from pg_stat_activity
      where datname = current_database() and state like 'idle in transaction%'`
  )[0]?.count;

test('more values than the protocol allows are a 400, and every connection is released', async () => {
  const body = JSON.stringify(Array.from({ length: 70_000 }, (_, n) => n));
  const post = () =>
    lite.fetch(new Request('http://localhost/rest/v1/rpc/search_products', { method: 'POST', headers, body }));
  // More than the pool has connections.
  const statuses = await Promise.all(Array.from({ length: 6 }, async () => (await post()).status));
  expect(new Set(statuses)).toEqual(new Set([400]));
  const after = await Promise.all(Array.from({ length: 8 }, async () => (await read()).status));
  expect(after).toEqual(Array(8).fill(200));
  await expect.poll(inTransaction).toBe(0);
});

test('the pools of the Data API and of sign-in respond independently', async () => {
  await lite.ping('data-api');
  await lite.ping('sign-in');
});

test('a caller who never releases a connection, or leaves a transaction open, does not keep its place', async () => {
  const { reserve, begin, end } = createTransactionPool(database.connection as never, 1, 3_000);
  const held = await reserve();
  await held`begin`;
  // The place is free when the lease ends, and what the caller still asks fails.
  expect(await begin((transaction) => transaction`select 1 as one`)).toEqual([{ one: 1 }]);
  await expect(held`select 1`).rejects.toMatchObject({ code: 'CONNECTION_CLOSED' });
  held.release();

  const careless = await reserve();
  await careless`begin`;
  await careless`create temporary table left_behind ()`;
  careless.release();
  const next = await reserve();
  expect(await next`select to_regclass('pg_temp.left_behind') as found`).toEqual([{ found: null }]);
  next.release();
  await expect.poll(inTransaction).toBe(0);
  await end();
});

test('a connection that is closed between two queries on their way fails both, and nothing else', async () => {
  const unhandled: unknown[] = [];
  const onUnhandled = (reason: unknown) => unhandled.push(reason);
  process.on('unhandledRejection', onUnhandled);
  const { reserve, end } = createTransactionPool(database.connection as never, 1, 20_000);
  const held = await reserve();
  const both = [held`select pg_sleep(0.05)`, held`select 1`].map((query) => query.catch((error) => error.code));
  // The first result arrives while this thread is busy, so that the driver reads it right after the connection is given up.
  await new Promise<void>((done) => {
    setTimeout(() => {
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 200);
      held.release();
      done();
    }, 10);
  });
  expect(await Promise.all(both)).toEqual(['CONNECTION_CLOSED', 'CONNECTION_CLOSED']);
  (await reserve()).release();
  await end();
  process.off('unhandledRejection', onUnhandled);
  expect(unhandled).toEqual([]);
});

test('a connection that is released twice stays with its next caller', async () => {
  const { reserve, end } = createTransactionPool(database.connection as never, 1, 20_000);
  const first = await reserve();
  first.release();
  const second = await reserve();
  await second`begin`;
  first.release();
  expect(await second`select 1 as one`).toEqual([{ one: 1 }]);
  await second`commit`;
  second.release();
  await end();
});

test('a caller who leaves while waiting for a connection is dropped, and the next gets it', async () => {
  const { reserve, end } = createTransactionPool(database.connection as never, 1, 20_000);
  const first = await reserve();
  const leaving = new AbortController();
  const left = reserve({ signal: leaving.signal });
  const patient = reserve();
  leaving.abort();
  await expect(left).rejects.toMatchObject({ code: 'CONNECTION_WAIT_ABORTED' });
  first.release();
  (await patient).release();
  await end();
});

test('every pool ends idle transactions', async () => {
  const pool = createPool({ ...database.connection, max: 1 });
  const [row] = await pool<{ timeout: string }[]>`
    select current_setting('idle_in_transaction_session_timeout') as timeout`;
  const inside = await pool.begin(
    (transaction) => transaction`select current_setting('idle_in_transaction_session_timeout') as timeout`,
  );
  expect([row?.timeout, inside[0]?.timeout]).toEqual(['10s', '10s']);
  await pool.end();
});
