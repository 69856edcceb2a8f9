import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { createClient, type SupabaseClient } from '@supabase/supabase-js';
import { jwtVerify, SignJWT } from 'jose';
import type { Sql } from 'postgres';
import { afterAll, afterEach, beforeAll, beforeEach, expect, inject } from 'vitest';
import { WebSocket } from 'ws';
import { newDatabase, type TestDatabase } from '../../tests/support/database.ts';
import { foodFacts } from '../../tests/support/rows.ts';
import { type Caller, type Realtime, type RealtimeOptions, startRealtime } from './realtime.ts';

export const apiKey = 'sb_publishable_test';
const secret = new TextEncoder().encode('a secret of this test, long enough for HS256');
export const origin = 'http://shop.test';

export let database: TestDatabase;
export let sql: Sql;
export let host: Host;
let clockOffsetMs = 0;
let clients: SupabaseClient[] = [];
let hosts: Host[] = [];

type Host = { realtime: Realtime; server: Server; port: number; logged: string[]; close(): Promise<void> };

export async function startHost(options: Partial<RealtimeOptions> = {}): Promise<Host> {
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

/** Names the connections of one server, to find them among others. */
export const named = (application_name: string) => ({
  connection: { ...database.connection, connection: { application_name } },
});

async function verifyToken(token: string): Promise<Caller | null> {
  const { payload } = await jwtVerify(token, secret, { currentDate: new Date(Date.now() + clockOffsetMs) });
  const { sub = null, exp = 0 } = payload;
  return { role: 'authenticated', userId: sub, claims: payload, expiresAt: exp };
}

export function tokenFor(userId: string, lifetimeSeconds = 3600): Promise<string> {
  const nowSeconds = Math.floor((Date.now() + clockOffsetMs) / 1000);
  return new SignJWT({ role: 'authenticated' })
    .setProtectedHeader({ alg: 'HS256' })
    .setSubject(userId)
    .setIssuedAt(nowSeconds)
    .setExpirationTime(nowSeconds + lifetimeSeconds)
    .sign(secret);
}

export async function newUser(): Promise<string> {
  const id = randomUUID();
  await sql`insert into auth.users (id, email) values (${id}, ${`${id}@example.com`})`;
  return id;
}

export async function newOrder(userId: string): Promise<string> {
  const [order] = await sql<{ id: string }[]>`
    insert into orders (user_id, source, sub_total, tax, shipping_charge, total_amount, delivery_name, delivery_phone, delivery_zip)
    values (${userId}, 'cart', 250.50, 12.53, 60, 323.03, 'Asha', '9876543210', '400001') returning id`;
  return order?.id ?? '';
}

export async function newProduct(price = 250): Promise<number> {
  const [product] = await sql<{ id: number }[]>`
    insert into "Products" ${sql({ Name: randomUUID(), Price: price, Category: 'Laddu', is_listed: true, ...foodFacts })}
    returning "Id"::int as id`;
  return product?.id ?? 0;
}

export const touchProduct = (id: number, price = 300) =>
  sql`update "Products" set "Price" = ${price} where "Id" = ${id}`;

/** A supabase-js client; its token can be changed as a session refresh does. */
export async function connect(userId?: string, on = host) {
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

export async function watch(client: SupabaseClient, ...entries: Entry[]) {
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

export async function until(condition: () => boolean, within = 2_000): Promise<void> {
  const deadline = performance.now() + within;
  while (!condition() && performance.now() < deadline) await sleep(2);
  expect(condition(), 'what was awaited did not happen in time').toBe(true);
}

/** A raw socket, for frames that supabase-js never sends. */
export async function openRaw(options: { on?: Host; origin?: string; headers?: Record<string, string> } = {}) {
  const { on = host, ...clientOptions } = options;
  const socket = new WebSocket(
    `ws://127.0.0.1:${on.port}/realtime/v1/websocket?apikey=${apiKey}&vsn=2.0.0`,
    clientOptions,
  );
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

/** The response to a rejected upgrade. */
export async function refusal(
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

export const goodPath = `/realtime/v1/websocket?apikey=${apiKey}&vsn=2.0.0`;

export function advanceClock(milliseconds: number): void {
  clockOffsetMs = milliseconds;
}

/** Registers the hooks of a test file: a database and a server of its own, nothing left between tests. */
export function setUpRealtime(): void {
  beforeAll(async () => {
    database = await newDatabase(inject('postgresPath'));
    ({ sql } = database);
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
    await database?.drop();
  });
}
