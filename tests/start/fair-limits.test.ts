import { Agent, type IncomingMessage, request } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { copyFilledShop } from '../support/filled-shop.ts';
import { type RunningShop, removeDataDir, startShop } from '../support/shop.ts';
import { eventually } from './processes.ts';

let shop: RunningShop;
beforeAll(async () => {
  shop = await startShop({ dataDir: await copyFilledShop(), env: { TRUST_PROXY: '1' } });
});
afterAll(async () => {
  await shop.stop();
  await removeDataDir(shop.dataDir);
});

type Answer = { status: number; headers: IncomingMessage['headers']; text: string };

/** Asks as a client of this address, which a proxy would name. */
function client(address: string) {
  const agent = new Agent({ keepAlive: true });
  const get = (path: string, signal?: AbortSignal) =>
    new Promise<Answer>((resolve, reject) => {
      const headers = { 'x-forwarded-for': address };
      const sent = request(shop.url + path, { agent, headers, signal }, (response) => {
        const pieces: Buffer[] = [];
        response.on('data', (piece: Buffer) => pieces.push(piece));
        response.on('end', () =>
          resolve({
            status: response.statusCode ?? 0,
            headers: response.headers,
            text: Buffer.concat(pieces).toString(),
          }),
        );
        response.on('error', reject);
      });
      sent.on('error', reject);
      sent.end();
    });
  return { get, close: () => agent.destroy() };
}

const served = (path: string) => shop.output().split(`"path":"${path}"`).length - 1;

test('an address that floods the shop gets 429 except for cached pages, and other customers are served first', async () => {
  const attacker = client('203.0.113.66');
  const customer = client('198.51.100.2');
  expect((await customer.get('/')).status).toBe(200);
  let answered = 0;
  const flood = Array.from({ length: 300 }, async (_, n) => {
    const answer = await attacker.get(`/shop?q=nothing${n}`);
    answered += 1;
    return answer;
  });
  await eventually(() => answered > 0, 'the flood has begun');
  const others = await Promise.all([
    customer.get('/shop?q=laddu'),
    // Cached by another visitor's request: figures that are derived after the start may have invalidated the page.
    customer.get('/').then(() => attacker.get('/')),
    attacker.get('/favicon.svg'),
  ]);
  expect(answered).toBeLessThan(300); // the rest of the flood still waits
  const answers = await Promise.all(flood);
  const refused = answers.filter(({ status }) => status === 429);
  expect(answers.filter(({ status }) => status === 200).length + refused.length).toBe(300);
  // Of 300 concurrent requests a hundred wait; how many of the others are served depends on the machine.
  expect(refused.length).toBeGreaterThan(0);
  for (const { headers, text } of refused) {
    expect(headers['retry-after']).toMatch(/^\d+$/);
    expect(headers['x-content-type-options']).toBe('nosniff');
    expect(JSON.parse(text)).toEqual({
      error: {
        code: 'too-many-requests',
        message: 'Too many requests from your network at once. Please try again in a moment.',
      },
    });
  }
  expect(others.map(({ status }) => status)).toEqual([200, 200, 200]);
  attacker.close();
  customer.close();
});

test('an IPv6 network counts as one client', async () => {
  const neighbours = Array.from({ length: 5 }, (_, n) => client(`2001:db8:5:6::${n + 1}`));
  const statuses = await Promise.all(
    Array.from({ length: 300 }, async (_, n) => (await neighbours[n % 5]?.get(`/shop?q=six${n}`))?.status),
  );
  expect(statuses).toContain(429);
  for (const { close } of neighbours) close();
});

test('requests of clients that disconnected are never started', async () => {
  const leaving = client('203.0.113.77');
  const before = served('/shop');
  const gone = new AbortController();
  const left = Array.from({ length: 90 }, (_, n) =>
    leaving.get(`/shop?q=left${n}`, gone.signal).then(
      () => 'answered',
      () => 'left',
    ),
  );
  await eventually(() => served('/shop') > before, 'the first is served');
  gone.abort();
  const gaveUp = (await Promise.all(left)).filter((outcome) => outcome === 'left').length;
  expect(gaveUp).toBeGreaterThan(0);
  // The next request from that address does not wait for them.
  expect((await client('203.0.113.77').get('/shop?q=after')).status).toBe(200);
  await sleep(1_000);
  // All 90 and the one after them would be served otherwise; how many were before they left is the machine's speed.
  expect(served('/shop') - before).toBeLessThan(80);
  leaving.close();
});
