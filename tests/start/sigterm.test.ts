import { Agent, request } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import postgres, { type Sql } from 'postgres';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { startEmbeddedPostgres } from '../../server/postgres/embedded-postgres.ts';
import { type Buyer, type FunctionAnswer, newBuyers, type Post } from '../support/buyers.ts';
import { copyFilledShop } from '../support/filled-shop.ts';
import { connectToShop, insertProduct } from '../support/rows.ts';
import { removeDataDir, startShop } from '../support/shop.ts';

vi.setConfig({ testTimeout: 1_200_000 });

const BUYERS = 20;
const CHECKOUTS_PER_MINUTE = 5;
const rounds = process.env.SOAK ? 50 : 2;

/** What was confirmed to each buyer, and the request that got no response. */
type Told = { quotes: number; checkouts: number; payments: number; orders: number; unanswered: string };
type Stored = Omit<Told, 'unanswered'>;

let dataDir: string;
let sweet: number;

beforeAll(async () => {
  dataDir = await copyFilledShop();
  const shop = await startShop({ dataDir });
  const sql = await connectToShop(dataDir);
  sweet = await insertProduct(sql, { price: 120, stock: 1_000_000 });
  await sql.end();
  await shop.stop();
});
afterAll(() => removeDataDir(dataDir));

/** One kept-alive connection that sends nothing twice. */
function keptAlive(url: string): { post: Post; close(): void } {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  const post: Post = (path, body, headers) =>
    new Promise((resolve, reject) => {
      const sent = request(url + path, { method: 'POST', agent, headers }, (response) => {
        response.toArray().then((parts) => {
          resolve({ status: response.statusCode ?? 0, text: Buffer.concat(parts).toString() });
        }, reject);
      });
      sent.on('error', reject).end(body);
    });
  return { post, close: () => agent.destroy() };
}

/** Buys on one kept-alive connection, each request right after the last response, until one stays without a response. */
async function buyUntilTheEnd(buyer: Buyer, told: Told): Promise<Told> {
  const step = async <T>(name: string, request: Promise<T>): Promise<T> => {
    told.unanswered = name;
    const answer = await request;
    told.unanswered = '';
    return answer;
  };
  const count = (name: 'quotes' | 'checkouts' | 'orders', { status }: FunctionAnswer) => {
    if (status < 300) told[name] += 1;
  };
  try {
    for (let n = 0; ; n += 1) {
      const quote = await step('getShippingPrice', buyer.quote([{ productId: sweet, quantity: 1, size: 500 }]));
      count('quotes', quote);
      if (n >= CHECKOUTS_PER_MINUTE || quote.status !== 200) continue;
      const created = await step('createOrder', buyer.create(quote));
      count('checkouts', created);
      if (created.status !== 201) continue;
      // Without webhooks nothing but placeOrder makes the order.
      const paid = await step('pay', buyer.pay(created, { webhook: 'never' }));
      if (!paid.razorpay_payment_id) continue;
      told.payments += 1;
      count('orders', await step('placeOrder', buyer.place(paid)));
    }
  } catch {
    return told; // the connection was closed without a response
  }
}

async function storedFor(sql: Sql, buyers: Buyer[]): Promise<Stored[]> {
  const rows = await sql<(Stored & { id: string })[]>`
    select b.id,
      (select count(*)::int from private.quotes q where q.user_id = b.id) as quotes,
      (select count(*)::int from private.checkouts c where c.user_id = b.id) as checkouts,
      (select count(*)::int from demo.provider_payments p join private.checkouts c on c.provider_order_id = p.order_id
        where c.user_id = b.id) as payments,
      (select count(*)::int from public.orders o where o.user_id = b.id) as orders
    from unnest(${buyers.map(({ id }) => id)}::uuid[]) with ordinality as b (id, n) order by b.n`;
  return rows.map(({ id: _id, ...stored }) => stored);
}

/** The stopped shop's rows, before a worker of the next start changes any. */
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

test(`SIGTERM under load, ${rounds} times: every request gets its response, or changes nothing`, async () => {
  const figures = { answered: 0, orders: 0, unanswered: {} as Record<string, number> };
  for (let round = 0; round < rounds; round += 1) {
    const shop = await startShop({ dataDir });
    const clients = Array.from({ length: BUYERS }, () => keptAlive(shop.url));
    const sql = await connectToShop(dataDir);
    const buyers = await Promise.all(
      clients.map(async ({ post }) => (await newBuyers(sql, { url: shop.url, dataDir }, 1, post))[0] as Buyer),
    );
    await sql.end();
    const tallies = buyers.map((): Told => ({ quotes: 0, checkouts: 0, payments: 0, orders: 0, unanswered: '' }));
    const buying = buyers.map((buyer, index) => buyUntilTheEnd(buyer, tallies[index] as Told));
    await vi.waitUntil(() => tallies.some(({ orders }) => orders > 0), { timeout: 20_000 });
    await sleep(Math.random() * 600);
    const code = await shop.stop('SIGTERM');
    const told = await Promise.all(buying);
    for (const { close } of clients) close();

    const stored = await withStoppedShop((stopped) => storedFor(stopped, buyers));
    expect({ code, stored }).toEqual({ code: 0, stored: told.map(({ unanswered: _last, ...counts }) => counts) });
    for (const { quotes, checkouts, payments, orders, unanswered } of told) {
      figures.answered += quotes + checkouts + payments + orders;
      figures.orders += orders;
      if (unanswered) figures.unanswered[unanswered] = (figures.unanswered[unanswered] ?? 0) + 1;
    }
  }
  expect(figures.orders).toBeGreaterThan(0);
  process.stdout.write(`SIGTERM under load, ${rounds} rounds: ${JSON.stringify(figures)}\n`);
});
