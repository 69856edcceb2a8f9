import { execFile } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { createClient, type SupabaseClient } from '@supabase/supabase-js';
import { jwtVerify, SignJWT } from 'jose';
import postgres from 'postgres';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { WebSocket } from 'ws';
import { type Caller, type Realtime, type RealtimeOptions, startRealtime } from './realtime.ts';

type TestDatabase = { connection: { path: string; user: string; database: string }; drop(): Promise<void> };

/** A migrated database of its own. */
async function withDatabase(): Promise<TestDatabase> {
  const server = { path: `${process.env.TEST_POSTGRES_SOCKET_DIR ?? '/tmp/pgx'}/.s.PGSQL.5432`, user: 'postgres' };
  const admin = postgres({ ...server, database: 'template1', max: 1, onnotice: () => {} });
  const database = `rt_${randomUUID().replaceAll('-', '')}`;
  for (let attempt = 1; ; attempt++) {
    try {
      await admin.unsafe(`create database ${database} template postgres`);
      break;
    } catch (error) {
      if (attempt === 50) throw error;
      await sleep(100);
    }
  }
  return {
    connection: { ...server, database },
    async drop() {
      await admin.unsafe(`drop database ${database} with (force)`);
      await admin.end();
    },
  };
}

vi.setConfig({ testTimeout: 20_000, hookTimeout: 30_000 });

const apiKey = 'sb_publishable_test';
const secret = new TextEncoder().encode('a secret of this test, long enough for HS256');
const origin = 'http://shop.test';

let database: TestDatabase;
let sql: postgres.Sql;
let host: Host;
let clockOffsetMs = 0;
let clients: SupabaseClient[] = [];
let hosts: Host[] = [];

type Host = { realtime: Realtime; server: Server; port: number; logged: string[]; close(): Promise<void> };

async function startHost(options: Partial<RealtimeOptions> = {}): Promise<Host> {
  const logged: string[] = [];
  const realtime = await startRealtime({
    connection: database.connection,
    isApiKey: (key) => key === apiKey,
    verifyToken,
    allowedOrigins: () => [origin],
    log: (event) => logged.push(JSON.stringify(event)),
    now: () => Date.now() + clockOffsetMs,
    ...options,
  });
  const server = createServer((_, response) => response.end());
  server.on('upgrade', (request, socket, head) => realtime.handleUpgrade(request, socket, head));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const started: Host = {
    realtime,
    server,
    port,
    logged,
    async close() {
      await realtime.close();
      server.closeAllConnections();
      server.close();
    },
  };
  hosts.push(started);
  return started;
}

/** Tells the connections of one server from those of others. */
const named = (application_name: string) => ({
  connection: { ...database.connection, connection: { application_name } },
});

async function verifyToken(token: string): Promise<Caller | null> {
  const { payload } = await jwtVerify(token, secret, { currentDate: new Date(Date.now() + clockOffsetMs) });
  const { sub = null, exp = 0 } = payload;
  return { role: 'authenticated', userId: sub, claims: payload, expiresAt: exp };
}

function tokenFor(userId: string, lifetimeSeconds = 3600): Promise<string> {
  const nowSeconds = Math.floor((Date.now() + clockOffsetMs) / 1000);
  return new SignJWT({ role: 'authenticated' })
    .setProtectedHeader({ alg: 'HS256' })
    .setSubject(userId)
    .setIssuedAt(nowSeconds)
    .setExpirationTime(nowSeconds + lifetimeSeconds)
    .sign(secret);
}

async function newUser(): Promise<string> {
  const id = randomUUID();
  await sql`insert into auth.users (id, email) values (${id}, ${`${id}@example.com`})`;
  return id;
}

async function newOrder(userId: string): Promise<string> {
  const [order] = await sql<{ id: string }[]>`
    insert into orders (user_id, source, sub_total, tax, shipping_charge, total_amount, delivery_name, delivery_phone, delivery_zip)
    values (${userId}, 'cart', 250.50, 12.53, 60, 323.03, 'Asha', '9876543210', '400001') returning id`;
  return order?.id ?? '';
}

async function newProduct(price = 250): Promise<number> {
  const [product] = await sql<{ id: number }[]>`
    insert into "Products" ("Name", "Price", "Category", is_listed)
    values (${randomUUID()}, ${price}, 'Laddu', true) returning "Id"::int as id`;
  return product?.id ?? 0;
}

const touchProduct = (id: number, price = 300) => sql`update "Products" set "Price" = ${price} where "Id" = ${id}`;

/** A supabase-js client; its token can be changed as a session refresh does. */
async function connect(userId?: string, on = host) {
  const session = { token: userId ? await tokenFor(userId) : null };
  const client = createClient(`http://127.0.0.1:${on.port}`, apiKey, {
    accessToken: async () => session.token,
    realtime: { transport: WebSocket as never },
  });
  clients.push(client);
  await client.realtime.setAuth();
  return {
    client,
    async setToken(token: string | null) {
      session.token = token;
      await client.realtime.setAuth();
    },
  };
}

type Entry = {
  event?: '*' | 'INSERT' | 'UPDATE' | 'DELETE';
  schema?: string;
  table?: string;
  filter?: string;
  select?: string[];
};
type Received = {
  table: string;
  eventType: string;
  new: Record<string, unknown>;
  old: object;
  commit_timestamp: string;
};

async function watch(client: SupabaseClient, ...entries: Entry[]) {
  const received: Received[] = [];
  const system: string[] = [];
  const channel = client.channel(randomUUID()).on('system', {}, (payload) => system.push(payload.message));
  for (const entry of entries) {
    channel.on('postgres_changes', { event: '*', schema: 'public', ...entry } as never, (change: Received) =>
      received.push(change),
    );
  }
  const outcome = await new Promise<string>((resolve) => {
    channel.subscribe((status, error) => resolve(error ? `${status}: ${error.message}` : status));
  });
  return {
    received,
    system,
    outcome,
    channel,
    tables: () => received.map(({ table, eventType }) => `${eventType} ${table}`),
  };
}

async function until(condition: () => boolean, within = 2_000): Promise<void> {
  const deadline = performance.now() + within;
  while (!condition() && performance.now() < deadline) await sleep(2);
  expect(condition(), 'what was awaited did not happen in time').toBe(true);
}

/** A bare socket, for what supabase-js would never send. */
async function openRaw(options: { on?: Host; origin?: string } = {}) {
  const { on = host, ...headers } = options;
  const socket = new WebSocket(`ws://127.0.0.1:${on.port}/realtime/v1/websocket?apikey=${apiKey}&vsn=2.0.0`, headers);
  const frames: [string | null, string | null, string, string, { status?: string; response?: { reason?: string } }][] =
    [];
  const closed = new Promise<number>((resolve) => socket.once('close', resolve));
  socket.on('message', (data) => frames.push(JSON.parse(String(data))));
  socket.on('error', () => {});
  await once(socket, 'open');
  const say = (frame: unknown) => socket.send(JSON.stringify(frame));
  const joinWith = async (topic: string, payload: unknown) => {
    const ref = randomUUID();
    say([ref, ref, topic, 'phx_join', payload]);
    await until(() => frames.some((frame) => frame[1] === ref));
    return frames.find((frame) => frame[1] === ref)?.[4];
  };
  return { socket, frames, closed, say, joinWith };
}

/** The answer to an upgrade that is refused. */
async function refusal(
  path: string,
  headers: Record<string, string> = {},
  on = host,
): Promise<{ status: number; code: string }> {
  const socket = new WebSocket(`ws://127.0.0.1:${on.port}${path}`, { headers });
  socket.on('error', () => {});
  const [, response] = await once(socket, 'unexpected-response');
  const body = await new Response(response).json();
  return { status: response.statusCode, code: body.error.code };
}

const goodPath = `/realtime/v1/websocket?apikey=${apiKey}&vsn=2.0.0`;

beforeAll(async () => {
  database = await withDatabase();
  sql = postgres({ ...database.connection, max: 4, onnotice: () => {} });
  host = await startHost();
});

beforeEach(() => {
  clockOffsetMs = 0;
});

afterEach(async () => {
  await Promise.all(
    clients.map(async (client) => {
      await client.removeAllChannels();
      await client.realtime.disconnect();
    }),
  );
  clients = [];
  const extra = hosts.filter((candidate) => candidate !== host);
  hosts = [host];
  await Promise.all(extra.map((candidate) => candidate.close()));
});

afterAll(async () => {
  await host?.close();
  await sql?.end();
  await database?.drop();
});

test('customers see their own order and its history as they happen, and strangers see nothing', async () => {
  const [asha, stranger] = [await newUser(), await newUser()];
  const product = await newProduct();
  const mine = await watch((await connect(asha)).client, { table: 'orders' }, { table: 'order_events' });
  const theirs = await watch(
    (await connect(stranger)).client,
    { table: 'orders' },
    { table: 'order_events' },
    { table: 'Products' },
  );
  const visitors = await watch(
    (await connect()).client,
    { table: 'orders' },
    { table: 'order_events' },
    { table: 'Products' },
  );
  expect([mine.outcome, theirs.outcome, visitors.outcome]).toEqual(['SUBSCRIBED', 'SUBSCRIBED', 'SUBSCRIBED']);

  const order = await newOrder(asha);
  await sql`update orders set status = 'Confirmed' where id = ${order}`;
  await until(() => mine.received.length === 4);
  expect(mine.tables().sort()).toEqual([
    'INSERT order_events',
    'INSERT order_events',
    'INSERT orders',
    'UPDATE orders',
  ]);
  const [row] = await sql<{ json: object }[]>`select to_jsonb(o) as json from orders o where id = ${order}`;
  const update = mine.received.find(({ eventType }) => eventType === 'UPDATE');
  expect(update?.new).toEqual(row?.json);
  expect(update?.new).toMatchObject({ id: order, status: 'Confirmed', total_amount: 323.03 });
  expect(update?.old).toEqual({});
  expect(Math.abs(Date.now() - Date.parse(update?.commit_timestamp ?? ''))).toBeLessThan(60_000);

  // Changes come in the order of their commits, so the product's arrival proves that nothing else was on its way.
  await touchProduct(product);
  await until(() => theirs.received.length > 0 && visitors.received.length > 0);
  expect(theirs.tables()).toEqual(['UPDATE Products']);
  expect(visitors.tables()).toEqual(['UPDATE Products']);
});

test('everybody sees public products being added and changed, but not once they are unlisted', async () => {
  const visitors = await watch((await connect()).client, { table: 'Products' });
  const id = await newProduct(199.5);
  await until(() => visitors.received.length === 1);
  expect(visitors.received[0]).toMatchObject({
    eventType: 'INSERT',
    new: { Id: id, Price: 199.5, hasSize: false, Rating: null },
  });

  await sql`update "Products" set is_listed = false where "Id" = ${id}`;
  const next = await newProduct();
  await until(() => visitors.received.length === 2);
  expect(visitors.received[1]).toMatchObject({ eventType: 'INSERT', new: { Id: next } });
});

test('an expired token brings nothing more, a refreshed one resumes', async () => {
  const asha = await newUser();
  const order = await newOrder(asha);
  const { client, setToken } = await connect(asha);
  const mine = await watch(client, { table: 'orders' });
  const visitors = await watch((await connect()).client, { table: 'Products' });
  await sql`update orders set courier = 'first' where id = ${order}`;
  await until(() => mine.received.length === 1);

  clockOffsetMs = 2 * 3600 * 1000;
  await sql`update orders set courier = 'second' where id = ${order}`;
  await newProduct();
  await until(() => visitors.received.length === 1);

  await setToken(await tokenFor(asha));
  // The frame with the token has no answer; a join behind it on the same socket has.
  await watch(client, { table: 'orders', filter: 'status=eq.Refunded' });
  await sql`update orders set courier = 'third' where id = ${order}`;
  await until(() => mine.received.length === 2);
  expect(mine.received.map((change) => change.new.courier)).toEqual(['first', 'third']);
});

test('after signing out the same channel is a visitor’s', async () => {
  const asha = await newUser();
  const order = await newOrder(asha);
  const { client, setToken } = await connect(asha);
  const mine = await watch(client, { table: 'orders' }, { table: 'Products' });
  await setToken(null);
  await watch(client, { table: 'Products', event: 'DELETE' });
  await sql`update orders set courier = 'x' where id = ${order}`;
  await newProduct();
  await until(() => mine.received.length === 1);
  expect(mine.tables()).toEqual(['INSERT Products']);
});

test('a token that is not valid is refused at the join, and silences a channel later', async () => {
  const raw = await openRaw();
  const config = { postgres_changes: [{ event: '*', schema: 'public', table: 'Products' }] };
  expect(await raw.joinWith('realtime:a', { config, access_token: 'nonsense' })).toMatchObject({
    status: 'error',
    response: { reason: 'the access token is not valid' },
  });
  const expired = await tokenFor(await newUser(), -10);
  expect(await raw.joinWith('realtime:a', { config, access_token: expired })).toMatchObject({ status: 'error' });

  expect(await raw.joinWith('realtime:a', { config })).toMatchObject({ status: 'ok' });
  raw.say([null, '9', 'realtime:a', 'access_token', { access_token: 'nonsense' }]);
  expect(await raw.joinWith('realtime:b', { config })).toMatchObject({ status: 'ok' });
  await newProduct();
  await until(() => raw.frames.some((frame) => frame[3] === 'postgres_changes'));
  expect(raw.frames.filter((frame) => frame[3] === 'postgres_changes').map((frame) => frame[2])).toEqual([
    'realtime:b',
  ]);
  raw.socket.close();
});

test('filters choose rows, events choose kinds, select chooses columns', async () => {
  const asha = await newUser();
  const [first, second] = [await newOrder(asha), await newOrder(asha)];
  const { client } = await connect(asha);
  const one = await watch(client, {
    table: 'orders',
    filter: `id=eq.${second}`,
    event: 'UPDATE',
    select: ['id', 'courier'],
  });
  const several = await watch(client, {
    table: 'orders',
    filter: `id=in.(${first},${second}),total_amount=gt.300`,
    event: 'UPDATE',
  });
  const added = await watch(client, { table: 'orders', event: 'INSERT' });
  // Another customer with a filter that matches: still not theirs to see.
  const nosy = await watch(
    (await connect(await newUser())).client,
    { table: 'orders', filter: `id=eq.${second}` },
    { table: 'Products' },
  );

  await sql`update orders set courier = 'a' where id = ${first}`;
  await sql`update orders set courier = 'b' where id = ${second}`;
  await newOrder(asha);
  await newProduct();
  await until(() => added.received.length === 1 && nosy.received.length === 1);
  expect(one.received.map((change) => change.new)).toEqual([{ id: second, courier: 'b' }]);
  expect(several.received.map((change) => change.new.courier)).toEqual(['a', 'b']);
  expect(added.tables()).toEqual(['INSERT orders']);
  expect(nosy.tables()).toEqual(['INSERT Products']);
});

test('what cannot be watched is refused with the reason', async () => {
  const { client } = await connect();
  expect((await watch(client, { table: 'order_items' })).outcome).toContain('table order_items is not published');
  expect((await watch(client, { table: 'users', schema: 'auth' })).outcome).toContain('only schema public');
  expect((await watch(client, { table: 'Products', filter: 'secret=eq.1' })).outcome).toContain('no column secret');
  expect((await watch(client, { table: 'Products', filter: 'Id=eq.one' })).outcome).toContain('wrong type');
  expect((await watch(client, { table: 'Products', select: ['secret'] })).outcome).toContain('no column secret');
  const raw = await openRaw();
  const entry = { event: '*', schema: 'public', table: 'Products' };
  expect(await raw.joinWith('realtime:x', { config: { postgres_changes: Array(11).fill(entry) } })).toMatchObject({
    status: 'error',
  });
  expect(await raw.joinWith('other:x', {})).toMatchObject({ status: 'error', response: { reason: 'unknown topic' } });
  for (let i = 0; i < 20; i++) expect(await raw.joinWith(`realtime:${i}`, {})).toMatchObject({ status: 'ok' });
  expect(await raw.joinWith('realtime:20', {})).toMatchObject({
    status: 'error',
    response: { reason: 'too many channels' },
  });
  raw.socket.close();
});

test('a channel without postgres_changes is accepted, and its broadcasts and presence go nowhere', async () => {
  const { client } = await connect();
  const listening = await watch(client);
  expect(listening.outcome).toBe('SUBSCRIBED');
  expect(await listening.channel.send({ type: 'broadcast', event: 'hello', payload: { a: 1 } })).toBe('ok');
  const everything = await watch(client, {});
  await newProduct();
  await until(() => everything.received.length === 1);
  await client.removeChannel(listening.channel);
});

test('deleted rows are told to the server’s own listeners only', async () => {
  const id = await newProduct();
  const visitors = await watch((await connect()).client, { table: 'Products' });
  const heard: string[] = [];
  const stop = host.realtime.onChange(({ schema, table }) => heard.push(`${schema}.${table}`));
  await sql`delete from "Products" where "Id" = ${id}`;
  await until(() => heard.includes('public.Products'));
  // Even where the key is in use again and there would be a row to show.
  await sql.begin(async (tx) => {
    await tx`insert into "Products" ("Id", "Name", "Price", "Category", is_listed)
             values (${id}, ${randomUUID()}, 10, 'Gift', true)`;
    await tx`delete from "Products" where "Id" = ${id}`;
    await tx`insert into "Products" ("Id", "Name", "Price", "Category", is_listed)
             values (${id}, ${randomUUID()}, 20, 'Gift', true)`;
  });
  const last = await newProduct();
  await until(() => visitors.received.some((change) => change.new.Id === last));
  expect(new Set(visitors.tables())).toEqual(new Set(['INSERT Products']));
  stop();
});

test('a hundred rows at once arrive one by one; of more, only listeners hear', async () => {
  const visitors = await watch((await connect()).client, { table: 'caurousel' });
  const heard: string[] = [];
  const stop = host.realtime.onChange(({ table }) => heard.push(table));
  const add = (rows: number) => sql`
    insert into caurousel (background_img, title, buttonaction, buttontitle)
    select '/a.webp', 'slide ' || n, '/shop', 'Shop' from generate_series(1, ${rows}::int) n`;
  await add(100);
  await until(() => visitors.received.length === 100);
  await add(101);
  await add(1);
  await until(() => visitors.received.length === 101);
  expect(heard).toEqual(['caurousel', 'caurousel', 'caurousel']);
  stop();
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
  expect(before).toHaveLength(8 * 3);
  const both = await Promise.all([startHost(), startHost()]);
  expect(await triggers()).toEqual(before);

  await sql`alter publication supabase_realtime drop table testimonials`;
  const after = await startHost();
  expect((await triggers()).filter(({ tab }) => tab === 'testimonials')).toEqual([]);
  expect((await watch((await connect(undefined, after)).client, { table: 'testimonials' })).outcome).toContain(
    'not published',
  );
  await sql`alter publication supabase_realtime add table testimonials`;
  await startHost();
  expect(await triggers()).toHaveLength(8 * 3);
  expect(both).toHaveLength(2);
});

test('malformed frames are answered or ignored, and repeated ones end the socket', async () => {
  const raw = await openRaw();
  const bad = [
    null,
    7,
    'text',
    [],
    {},
    ['1', '1', 'realtime:x'],
    [1, 2, 3, 4, 5],
    ['1', '1', 'realtime:x', 'no_such_event', {}],
  ];
  for (const frame of bad) raw.say(frame);
  raw.say(['1', '5', 'phoenix', 'heartbeat', {}]);
  await until(() => raw.frames.length === bad.length + 1);
  expect(raw.frames.slice(0, bad.length).every((frame) => frame[4].status === 'error')).toBe(true);
  expect(raw.frames.at(-1)).toEqual(['1', '5', 'phoenix', 'phx_reply', { status: 'ok', response: {} }]);
  raw.socket.send('{not json');
  raw.socket.send(Buffer.from([9, 9, 9]));
  expect(await raw.closed).toBe(1008);

  const joins: unknown[] = [
    null,
    1,
    [],
    { config: 1 },
    { config: { postgres_changes: 'x' } },
    { config: { postgres_changes: [{}] } },
    { access_token: 5 },
  ];
  const second = await openRaw();
  for (const payload of joins) expect(await second.joinWith('realtime:x', payload)).toMatchObject({ status: 'error' });
  expect(
    await second.joinWith('realtime:__proto__', JSON.parse('{"config":{"__proto__":{"postgres_changes":[]}}}')),
  ).toMatchObject({ status: 'ok' });
  second.socket.close();
});

test('frames over 16 KiB and floods end the socket, and nobody else notices', async () => {
  const large = await openRaw();
  large.say(['1', '1', 'realtime:x', 'phx_join', { filler: 'x'.repeat(17 * 1024) }]);
  expect(await large.closed).toBe(1009);
  const flood = await openRaw();
  for (let i = 0; i < 600; i++) flood.say([null, String(i), 'phoenix', 'heartbeat', {}]);
  expect(await flood.closed).toBe(1008);

  const visitors = await watch((await connect()).client, { table: 'Products' });
  await newProduct();
  await until(() => visitors.received.length === 1);
});

test('the door: path, origin, key, version and numbers are checked before the upgrade', async () => {
  expect(await refusal('/realtime/v1/other')).toEqual({ status: 404, code: 'not-found' });
  expect(await refusal('/realtime/v1/websocket?vsn=2.0.0')).toEqual({ status: 401, code: 'invalid-api-key' });
  expect(await refusal('/realtime/v1/websocket?apikey=wrong')).toEqual({ status: 401, code: 'invalid-api-key' });
  expect(await refusal(goodPath, { origin: 'http://evil.test' })).toEqual({ status: 403, code: 'origin-not-allowed' });
  expect(await refusal(goodPath, { origin: 'null' })).toEqual({ status: 403, code: 'origin-not-allowed' });
  expect(await refusal(goodPath.replace('2.0.0', '1.0.0'))).toEqual({ status: 400, code: 'unsupported-version' });
  const raw = await openRaw({ origin });
  raw.socket.close();

  const small = await startHost({ limits: { sockets: 2 } });
  const one = await openRaw({ on: small });
  await openRaw({ on: small });
  expect(await refusal(goodPath, {}, small)).toEqual({ status: 503, code: 'full' });
  one.socket.close();
  await one.closed;
  await openRaw({ on: small });
  const narrow = await startHost({ limits: { socketsPerAddress: 1 } });
  await openRaw({ on: narrow });
  expect(await refusal(goodPath, {}, narrow)).toEqual({ status: 429, code: 'too-many-connections' });
});

test('silent sockets are closed', async () => {
  const impatient = await startHost({ limits: { silenceMs: 200, silenceCheckMs: 20 } });
  const raw = await openRaw({ on: impatient });
  const talking = await openRaw({ on: impatient });
  const beat = setInterval(() => talking.say([null, '1', 'phoenix', 'heartbeat', {}]), 20);
  expect(await raw.closed).toBe(1001);
  expect(talking.socket.readyState).toBe(WebSocket.OPEN);
  clearInterval(beat);
});

test('a reader who does not read is cut off', async () => {
  const impatient = await startHost({ limits: { unreadBytes: 64 * 1024 } });
  const raw = await openRaw({ on: impatient });
  await raw.joinWith('realtime:x', {
    config: { postgres_changes: [{ event: 'UPDATE', schema: 'public', table: 'Products' }] },
  });
  raw.socket.pause();
  const ids = await Promise.all(Array.from({ length: 100 }, () => newProduct()));
  for (let i = 0; i < 60 && !impatient.logged.some((line) => line.includes('slow_reader')); i++) {
    await sql`update "Products" set "Description" = ${String(i % 10).repeat(4000)} where "Id" in ${sql(ids)}`;
  }
  await until(() => impatient.logged.some((line) => line.includes('realtime.slow_reader_closed')));
  raw.socket.resume();
  expect(await raw.closed).toBe(1006);
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

test('a killed LISTEN connection comes back, and listeners are told that anything may have changed', async () => {
  const own = await startHost(named('to be killed'));
  const visitors = await watch((await connect(undefined, own)).client, { table: 'Products' });
  const heard = new Set<string>();
  own.realtime.onChange(({ table }) => heard.add(table));
  const killed = await sql`
    select pg_terminate_backend(pid) from pg_stat_activity
    where application_name = 'to be killed' and datname = current_database() and query ilike 'listen%'`;
  expect(killed.length).toBeGreaterThan(0);
  await until(() => visitors.system.includes('changes may have been missed'), 5_000);
  expect(heard.size).toBe(8);
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
    timeout: 5_000,
  });
  expect(stdout).toBe('closed\n');
});

test('the log names neither people nor tokens', () => {
  const logged = host.logged.join('\n');
  expect(logged).toContain('realtime.listening');
  expect(logged).not.toMatch(/Asha|@example|eyJ|sb_publishable/);
  expect(logged).not.toContain('failed');
});
