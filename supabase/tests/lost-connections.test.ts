import type { Sql, TransactionSql } from 'postgres';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { createPool } from '../../server/postgres/pool.ts';
import { newDatabase, type TestDatabase } from '../../tests/support/database.ts';

let database: TestDatabase;
let pool: Sql;

beforeAll(async () => {
  database = await newDatabase(inject('postgresPath'));
  // Without its own question about types, whose promise the client lets go of: the shop itself catches that (main.ts).
  const options = { max: 3, fetch_types: false, onnotice: () => {}, connection: { application_name: 'pool' } };
  pool = createPool({ ...database.connection, ...options });
  await database.sql`create table kept (id integer primary key)`;
});
afterAll(async () => {
  await pool.end({ timeout: 1 });
  await database.drop();
});

const pidOf = async (sql: TransactionSql) =>
  (await sql<{ pid: number }[]>`select pg_backend_pid() as pid`)[0]?.pid ?? 0;
/** As an administrator of the database, a lack of memory or a restart does it. */
const terminate = (pid: number) => database.sql`select pg_terminate_backend(${pid}, 5000)`;
const codeOf = (work: Promise<unknown>) =>
  work.then(
    () => 'nothing',
    (error: { code: string }) => error.code,
  );

test('a transaction that loses its connection fails, leaves nothing behind, and what it still asks runs nowhere else', async () => {
  for (const id of [1, 2, 3]) {
    const lost = pool.begin(async (transaction) => {
      await transaction`insert into kept values (${id})`;
      await terminate(await pidOf(transaction));
      await transaction`insert into kept values (${id + 100})`;
    });
    expect(await codeOf(lost)).toMatch(/^(CONNECTION_CLOSED|57P01|EPIPE|ECONNRESET)$/);
  }
  expect(await pool`select id from kept`).toEqual([]);
  expect(await pool.begin((transaction) => transaction`select 1 as one`)).toEqual([{ one: 1 }]);
});

test('a query that waits when its connection is lost fails, and the next one succeeds immediately', async () => {
  const locked = await database.sql.reserve();
  try {
    await locked`begin`;
    await locked`lock table kept`;
    const waiting = Array.from({ length: 6 }, () => codeOf(pool`select id from kept`));
    await expect
      .poll(() => database.sql`select pid from pg_stat_activity where wait_event_type = 'Lock'`)
      .not.toHaveLength(0);
    const pids = await database.sql<{ pid: number }[]>`
      select pid from pg_stat_activity where application_name = 'pool' and pid <> pg_backend_pid()`;
    await Promise.all(pids.map(({ pid }) => terminate(pid)));
    expect(await pool`select 1 as one`).toEqual([{ one: 1 }]);
    await locked`commit`;
    // Those that were sent have failed; what was not may be asked again on another connection.
    expect((await Promise.all(waiting)).filter((code) => code !== 'nothing').length).toBeGreaterThan(0);
  } finally {
    locked.release();
  }
});

test('no more transactions run at once than there are connections, and every caller gets one', async () => {
  const running = { now: 0, most: 0 };
  const { promise: threeAtOnce, resolve: areThree } = Promise.withResolvers<void>();
  const numbers = await Promise.all(
    Array.from({ length: 20 }, (_, n) =>
      pool.begin('read only', async (transaction) => {
        running.now += 1;
        running.most = Math.max(running.most, running.now);
        if (running.now === 3) areThree();
        await threeAtOnce;
        const [row] = await transaction<{ n: number }[]>`select ${n}::int as n`;
        running.now -= 1;
        return row?.n;
      }),
    ),
  );
  expect(numbers).toEqual(Array.from({ length: 20 }, (_, n) => n));
  expect(running.most).toBe(3);
});

test('an error inside a transaction takes it back and leaves the connection usable', async () => {
  const failed = pool.begin(async (transaction) => {
    await transaction`insert into kept values (7)`;
    await transaction`select 1 / 0`;
  });
  expect(await codeOf(failed)).toBe('22012');
  expect(await pool.begin((transaction) => transaction`select id from kept`)).toEqual([]);
});

test('an unreachable database is reported immediately, every time, and connections are released', async () => {
  const nowhere = createPool({ path: '/nowhere/.s.PGSQL.5432', user: 'postgres', max: 2 } as never);
  for (let n = 0; n < 5; n += 1) {
    expect(await codeOf(nowhere`select 1`)).toBe('ENOENT');
    expect(await codeOf(nowhere.begin((transaction) => transaction`select 1`))).toBe('ENOENT');
  }
  await nowhere.end({ timeout: 0 });
});

test('sometimes all connections are opened together, even if few are needed', async () => {
  const connection = { application_name: 'idle-pool' };
  const idle = createPool({ ...database.connection, max: 3, fetch_types: false, connection } as never);
  const connected = async () =>
    (await database.sql`select from pg_stat_activity where application_name = 'idle-pool'`).length;
  await idle`select 1`;
  expect(await connected()).toBe(1);
  for (let n = 0; n < 5_000; n += 1) await idle`select 1`;
  await expect.poll(connected).toBe(3);
  await idle.end();
});

test('it ends without waiting for unused connections', async () => {
  const short = createPool({ ...database.connection, max: 2 });
  await short.begin((transaction) => transaction`select 1`);
  await short`select 1`;
  await short.end({ timeout: 60 });
  expect(await codeOf(short`select 1`)).toBe('CONNECTION_ENDED');
});
