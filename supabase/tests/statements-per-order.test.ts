// How many statements the shop sends to its database before a customer has an order: from the price to the order, with the
// check of the session in each request. What the worker does afterwards is not among them. Hosted, each is a request to the
// Data API, which adds the same few of its own to every one.
import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Sql } from 'postgres';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { createFunctionsMount } from '../../server/functions/functions.ts';
import { callFunction } from '../../server/postgres/function-calls.ts';
import { newDatabase, type TestDatabase } from '../../tests/support/database.ts';
import { insertProduct, insertZone } from '../../tests/support/rows.ts';
import { openTill, type PaidAnswer, type Till } from '../../tests/support/till.ts';
import type { FunctionHandler } from '../functions/_shared/context.ts';
import { serveHosted } from '../functions/_shared/serve.ts';
import { createOrder } from '../functions/createOrder/handler.ts';
import { getShippingPrice } from '../functions/getShippingPrice/handler.ts';
import { placeOrder } from '../functions/placeOrder/handler.ts';

const most = 30;
const siteUrl = 'http://shop.test';

let database: TestDatabase;
let sql: Sql;
let till: Till;
let sweet: number;

beforeAll(async () => {
  database = await newDatabase(inject('postgresPath'));
  sql = database.sql;
  till = openTill(database.connection, sql);
  await insertZone(sql, { prefixes: ['400'] });
  sweet = await insertProduct(sql, { price: 180, hasSize: true, stock: 100_000 });
});
afterAll(async () => {
  await till.close();
  await database.drop();
});

type Customer = { id: string; claims: Record<string, unknown>; token: string };

async function signedIn(): Promise<Customer> {
  const id = await till.customer();
  const session_id = crypto.randomUUID();
  await sql`insert into auth.sessions (id, user_id, created_at) values (${session_id}, ${id}, now())`;
  const claims = { sub: id, role: 'authenticated', session_id, exp: Math.floor(Date.now() / 1000) + 600 };
  const part = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');
  return { id, claims, token: `${part({ alg: 'HS256', typ: 'JWT' })}.${part(claims)}.c2lnbmVk` };
}

type Serve = (name: 'getShippingPrice' | 'createOrder' | 'placeOrder', request: Request) => Promise<Response>;

/** Buys something; resolves when the customer has the order's number. */
async function buy({ token }: Customer, serve: Serve): Promise<void> {
  const post = async (name: Parameters<Serve>[0], body: unknown, status: number) => {
    const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
    const response = await serve(
      name,
      new Request(`${siteUrl}/functions/v1/${name}`, { method: 'POST', headers, body: JSON.stringify(body) }),
    );
    const answered = (await response.json()) as { total: number; quote_id: string; id: string; number: number };
    expect([response.status, answered]).toEqual([status, expect.anything()]);
    return answered;
  };
  const orders = [{ productId: sweet, quantity: 2, size: 500 }];
  const quote = await post('getShippingPrice', { orders, delivery: { pincode: '400001' }, source: 'cart' }, 200);
  const created = await post('createOrder', { amount: quote.total, currency: 'INR', quote_id: quote.quote_id }, 201);
  const paid = (await till.pay(created.id)) as PaidAnswer;
  const placed = await post(
    'placeOrder',
    { provider_order_id: created.id, payment_id: paid.razorpay_payment_id, signature: paid.razorpay_signature },
    201,
  );
  expect(placed.number).toBeGreaterThan(0);
}

const isOfWorker =
  /claim_jobs|finish_job|correct_due_times|renew_leases|sweep|delete_old_ip_hashes|refresh_figures|popular|pairs/;

test('embedded', async () => {
  const customer = await signedIn();
  const statements: string[] = [];
  const debug = (_connection: number, query: string) => {
    // The driver asks for the types of a new connection once.
    if (!query.includes('pg_catalog.pg_type')) statements.push(query);
  };
  const functions = createFunctionsMount({
    connection: { ...database.connection, debug } as never,
    connections: 4,
    verifyToken: async () => ({ userId: customer.id, role: 'authenticated', claims: customer.claims }) as never,
    payments: till.provider,
    mailer: null,
    messenger: null,
    siteUrl,
    jobsSecret: null,
    addressKey: 'key',
    onDatabaseError: () => {},
    log: () => {},
  });
  await buy(customer, (name, request) => functions.serve(name, request, null));
  const sent = statements.filter((statement) => !isOfWorker.test(statement));
  await functions.close();
  expect(sent.length, sent.join('\n')).toBeGreaterThanOrEqual(7);
  expect(sent.length, sent.join('\n')).toBeLessThanOrEqual(most);
});

test('hosted', async () => {
  const customer = await signedIn();
  const requests: string[] = [];
  const project = await startProject(customer, requests);
  const { port } = project.address() as AddressInfo;
  const environment = new Map([
    ['SITE_URL', siteUrl],
    ['SUPABASE_URL', `http://127.0.0.1:${port}`],
    ['SUPABASE_SERVICE_ROLE_KEY', 'service'],
  ]);
  const handlers = { getShippingPrice, createOrder, placeOrder };
  await buy(customer, (name, request) => {
    // The schedule and what a function does after its answer are not the customer's.
    const handler: FunctionHandler = (asked, context) =>
      handlers[name](asked, { ...context, payments: till.provider, wake: () => {} });
    return serveHosted(handler, environment)(request);
  });
  project.close();
  expect(requests.length, requests.join('\n')).toBeGreaterThanOrEqual(7);
  expect(requests.length, requests.join('\n')).toBeLessThanOrEqual(most);
});

/** A project's Auth, which knows one customer, and its Data API, which calls functions. */
async function startProject({ id }: Customer, requests: string[]): Promise<Server> {
  const server = createServer(async (request, response) => {
    const name = /^\/rest\/v1\/rpc\/(\w+)$/.exec(request.url ?? '')?.[1];
    if (name) requests.push(name);
    const body = name ? await callFunction(sql, name, JSON.parse(await textOf(request))) : { id };
    response.setHeader('content-type', 'application/json').end(JSON.stringify(body));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return server;
}

async function textOf(request: IncomingMessage): Promise<string> {
  let text = '';
  for await (const part of request) text += part;
  return text || '{}';
}
