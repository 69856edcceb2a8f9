import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { copyFilledShop } from '../support/filled-shop.ts';
import { type RunningShop, removeDataDir, startShop } from '../support/shop.ts';
import { newCustomer, publicEnvironment, tokenOf } from '../support/visitor.ts';
import { eventually, processesOn, withSql } from './processes.ts';

const frozenMs = 30_000;
const deadlineMs = 10_000;
/** For a machine that has other things to do. */
const marginMs = 3_000;
let shop: RunningShop;

beforeAll(async () => {
  shop = await startShop({ dataDir: await copyFilledShop() });
});
afterAll(async () => {
  await shop.stop();
  await removeDataDir(shop.dataDir);
});

/** PostgreSQL and all its processes are suspended: connections stay open without a response. */
function signalDatabase(signal: 'SIGSTOP' | 'SIGCONT'): void {
  const pids = processesOn(shop.dataDir).flatMap(({ pid, command }) => (/postgres/.test(command) ? [pid] : []));
  for (const pid of pids) process.kill(pid, signal);
}

test(`a database that freezes for ${frozenMs / 1000} s: every request gets a response within ${deadlineMs / 1000} s, cached pages as before, and afterwards everything works`, {
  timeout: 180_000,
}, async () => {
  const { key } = await publicEnvironment(shop.url);
  const customer = await newCustomer(shop.url);
  const headers = {
    apikey: key,
    authorization: `Bearer ${await tokenOf(customer)}`,
    'content-type': 'application/json',
    origin: shop.url,
  };
  const post = (body: unknown): RequestInit => ({ method: 'POST', headers, body: JSON.stringify(body) });
  const price = { orders: [{ productId: 1, quantity: 1, size: 500 }], delivery: { pincode: '400001' } };
  const asks: Record<string, RequestInit> = {
    '/product/5': {},
    '/shop?q=laddu': {},
    '/rest/v1/Products?select=Id&limit=1': { headers },
    '/auth/v1/user': { headers },
    '/auth/v1/token?grant_type=refresh_token': post({ refresh_token: 'none' }),
    '/functions/v1/getShippingPrice': post(price),
    '/test-payments/pay': post({ order_id: 'order_1', outcome: 'pay' }),
  };
  const ask = async (path: string, init: RequestInit = {}) => {
    const began = performance.now();
    const response = await fetch(shop.url + path, init);
    await response.arrayBuffer();
    return { path, status: response.status, again: response.headers.get('retry-after'), ms: performance.now() - began };
  };
  // Every pool has open connections, which will not respond.
  const paths = Object.keys(asks).filter((path) => path !== '/product/5');
  for (let n = 0; n < 4; n += 1) await Promise.all(paths.map((path) => ask(path, asks[path])));
  expect((await ask('/')).status).toBe(200);

  signalDatabase('SIGSTOP');
  try {
    const until = performance.now() + frozenMs;
    const round = () => Promise.all(Object.entries(asks).map(([path, init]) => ask(path, init)));
    const health = ask('/healthz');
    while (performance.now() < until - deadlineMs) {
      const [answers, home] = await Promise.all([round(), ask('/')]);
      expect(home.status).toBe(200);
      expect(home.ms).toBeLessThan(marginMs);
      for (const answer of answers) {
        expect(answer).toMatchObject({ status: 503, again: expect.stringMatching(/^\d+$/) });
        expect(answer.ms, answer.path).toBeLessThan(deadlineMs + marginMs);
      }
    }
    expect(await health).toMatchObject({ status: 503 });
    await sleep(Math.max(0, until - performance.now()));
  } finally {
    signalDatabase('SIGCONT');
  }

  for (const path of [
    '/product/5',
    '/shop?q=laddu',
    '/rest/v1/Products?select=Id&limit=1',
    '/auth/v1/user',
    '/functions/v1/getShippingPrice',
    '/healthz',
  ])
    await eventually(async () => (await ask(path, asks[path])).status === 200, `${path} is answered again`, 30_000);
  expect(shop.process.exitCode).toBe(null);
  await withSql(shop.dataDir, async (sql) => {
    const resting = () => sql`select pid from pg_stat_activity where state like 'idle in transaction%'`;
    await eventually(async () => (await resting()).length === 0, 'no transaction is left open');
    expect(await sql`select * from public.check_invariants()`).toEqual([]);
  });
});
