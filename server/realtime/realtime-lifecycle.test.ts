import { execFile } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import postgres from 'postgres';
import { expect, test } from 'vitest';
import { foodFacts } from '../../tests/support/rows.ts';
import {
  connect,
  database,
  goodPath,
  host,
  named,
  newOrder,
  newProduct,
  newUser,
  openRaw,
  refusal,
  setUpRealtime,
  sql,
  startHost,
  touchProduct,
  until,
  watch,
} from './realtime-harness.ts';

setUpRealtime();

test('deleted rows are not reported', async () => {
  const id = await newProduct();
  const visitors = await watch((await connect()).client, { table: 'Products' });
  await sql`delete from "Products" where "Id" = ${id}`;
  const gift = { Id: id, Category: 'Gift', is_listed: true, ...foodFacts };
  // Even where the key is in use again and there would be a row to show.
  await sql.begin(async (tx) => {
    await tx`insert into "Products" ${tx({ ...gift, Name: randomUUID(), Price: 10 })}`;
    await tx`delete from "Products" where "Id" = ${id}`;
    await tx`insert into "Products" ${tx({ ...gift, Name: randomUUID(), Price: 20 })}`;
  });
  const last = await newProduct();
  await until(() => visitors.received.some((change) => change.new.Id === last));
  expect(new Set(visitors.tables())).toEqual(new Set(['INSERT Products']));
});

test('up to a hundred rows changed at once are reported one by one, more are not', async () => {
  const visitors = await watch((await connect()).client, { table: 'caurousel' });
  const add = (rows: number) => sql`
    insert into caurousel (background_img, title, buttonaction, buttontitle)
    select '/a.webp', 'slide ' || n, '/shop', 'Shop' from generate_series(1, ${rows}::int) n`;
  await add(100);
  await until(() => visitors.received.length === 100);
  await add(101);
  await add(1);
  await until(() => visitors.received.length === 101);
});

test('the feed holds keys and no personal data, and browsers can neither read nor call it', async () => {
  const asha = await newUser();
  const messages: string[] = [];
  const listening = postgres({ ...database.connection, max: 1 });
  await listening.listen('realtime_feed', (message) => messages.push(message));
  const order = await newOrder(asha);
  await until(() => messages.length > 0);
  await listening.end();
  expect(new Set(messages)).toEqual(new Set(['']));
  const entries = await sql`
    select table_schema, table_name, operation, keys from realtime_feed.changes where keys @> ${sql.json([[order]])}`;
  expect([...entries]).toEqual([
    { table_schema: 'public', table_name: 'orders', operation: 'INSERT', keys: [[order]] },
  ]);

  for (const role of ['anon', 'authenticated']) {
    for (const query of ['select realtime_feed.announce()', 'select from realtime_feed.changes']) {
      const call = sql.begin(async (tx) => {
        await tx.unsafe(`set local role ${role}`);
        await tx.unsafe(query);
      });
      await expect(call).rejects.toMatchObject({ code: '42501' });
    }
  }
});

test('a second start changes nothing, and a table taken out of the publication loses its triggers', async () => {
  const triggers = () => sql`
    select oid, tgrelid::regclass::text as tab from pg_trigger where tgfoid = 'realtime_feed.announce()'::regprocedure order by oid`;
  const before = await triggers();
  expect(before).toHaveLength(8 * 2);
  const both = await Promise.all([startHost(), startHost()]);
  expect(await triggers()).toEqual(before);

  await sql`alter publication supabase_realtime drop table testimonials`;
  const after = await startHost();
  expect((await triggers()).filter(({ tab }) => tab === 'testimonials')).toEqual([]);
  expect((await watch((await connect(undefined, after)).client, { table: 'testimonials' })).outcome).toContain(
    'not published',
  );
  await sql`alter publication supabase_realtime add table testimonials`;
  // As a shop of before has them.
  await sql`create trigger zz_realtime_delete after delete on testimonials referencing old table as changed
    for each statement execute function realtime_feed.announce('id')`;
  await startHost();
  expect(await triggers()).toHaveLength(8 * 2);
  expect(both).toHaveLength(2);
});

test('50 sockets get all of 20 changes, each once and in order', async () => {
  const users = await Promise.all(Array.from({ length: 10 }, newUser));
  const watchers = await Promise.all(
    Array.from({ length: 50 }, async (_, i) =>
      watch((await connect(users[i % 10])).client, { table: 'Products', event: 'UPDATE' }),
    ),
  );
  const product = await newProduct();
  const prices = Array.from({ length: 20 }, (_, i) => 100 + i);
  const products = await Promise.all(prices.map(() => newProduct()));
  for (const [i, id] of products.entries()) await touchProduct(id, prices[i]);
  await until(() => watchers.every(({ received }) => received.length === 20), 5_000);
  for (const { received } of watchers) expect(received.map((change) => change.new.Price)).toEqual(prices);
  await touchProduct(product);
  await until(() => watchers.every(({ received }) => received.length === 21));
});

test('writers do not wait for each other, and what one of them could not announce arrives all the same', async () => {
  const visitors = await watch((await connect()).client, { table: 'Products', event: 'UPDATE' });
  const [first, second] = [await newProduct(), await newProduct()];
  await sql.begin(async (slow) => {
    await slow`update "Products" set "Price" = 111 where "Id" = ${first}`;
    await touchProduct(second, 222);
    await until(() => visitors.received.length === 1);
  });
  await until(() => visitors.received.length === 2);
  expect(visitors.received.map((change) => change.new.Price)).toEqual([222, 111]);
});

test('a killed LISTEN connection comes back, and browsers are told that anything may have changed', async () => {
  const own = await startHost(named('to be killed'));
  const visitors = await watch((await connect(undefined, own)).client, { table: 'Products' });
  const killed = await sql`
    select pg_terminate_backend(pid) from pg_stat_activity
    where application_name = 'to be killed' and datname = current_database() and query ilike 'listen%'`;
  expect(killed.length).toBeGreaterThan(0);
  await until(() => visitors.system.includes('changes may have been missed'), 5_000);
  await newProduct();
  await until(() => visitors.received.length === 1);

  await sql`select pg_terminate_backend(pid) from pg_stat_activity
            where application_name = 'to be killed' and datname = current_database()`;
  await until(() => visitors.system.filter((message) => message.includes('missed')).length === 2, 5_000);
  await newProduct();
  await until(() => visitors.received.length === 2);
});

test('connections killed again and again while they come back do not leave the server deaf', async () => {
  const own = await startHost(named('to be hunted'));
  const visitors = await watch((await connect(undefined, own)).client, { table: 'Products' });
  for (const end = Date.now() + 500; Date.now() < end; ) {
    await sql`select pg_terminate_backend(pid) from pg_stat_activity
              where application_name = 'to be hunted' and datname = current_database()`;
  }
  const listening = () => sql`
    select from pg_stat_activity
    where application_name = 'to be hunted' and datname = current_database() and query ilike 'listen%'`;
  for (let i = 0; i < 100 && (await listening()).length === 0; i++) await sleep(100);
  expect(await listening()).toHaveLength(1);
  await newProduct();
  await until(() => visitors.received.length === 1);
});

test('close() says goodbye and leaves nothing running', async () => {
  const connections = async () => {
    const [row] = await sql<{ count: number }[]>`
      select count(*)::int from pg_stat_activity where application_name = 'to be closed' and datname = current_database()`;
    return row?.count ?? 0;
  };
  const own = await startHost(named('to be closed'));
  expect(await connections()).toBeGreaterThan(0);
  const raw = await openRaw({ on: own });
  await raw.joinWith('realtime:x', {
    config: { postgres_changes: [{ event: '*', schema: 'public', table: 'Products' }] },
  });
  await newProduct();
  await Promise.all([own.realtime.close(), own.realtime.close()]);
  expect(await raw.closed).toBe(1001);
  expect(await refusal(goodPath, {}, own)).toEqual({ status: 503, code: 'stopping' });
  for (let i = 0; i < 100 && (await connections()) > 0; i++) await sleep(10);
  expect(await connections()).toBe(0);

  // A process with nothing left to do ends by itself.
  const code = `
    import { startRealtime } from ${JSON.stringify(join(import.meta.dirname, 'realtime.ts'))};
    const realtime = await startRealtime({
      connection: ${JSON.stringify(database.connection)}, isApiKey: () => false, verifyToken: async () => null,
      allowedOrigins: () => [], log: () => {} });
    await realtime.close();
    console.log('closed');`;
  const { stdout } = await promisify(execFile)(process.execPath, ['--input-type=module', '-e', code], {
    timeout: 60_000,
  });
  expect(stdout).toBe('closed\n');
});

test('the log names neither people nor tokens', () => {
  const logged = host.logged.join('\n');
  expect(logged).toContain('realtime.listening');
  expect(logged).not.toMatch(/Asha|@example|eyJ|sb_publishable/);
  expect(logged).not.toContain('failed');
});
