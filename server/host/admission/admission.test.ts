import { once } from 'node:events';
import { Agent, createServer, type IncomingMessage, request, type Server, type ServerResponse } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, expect, test } from 'vitest';
import { type AdmissionOptions, createAdmission } from './admission.ts';
import { sendRefusal } from './refusal.ts';

type Serve = (request: IncomingMessage, response: ServerResponse) => void;
const cleanups: (() => void)[] = [];
afterEach(() => {
  for (const cleanup of cleanups.splice(0)) cleanup();
});

/** A server behind admission that counts what is begun, how often, and in which state. */
async function serverWith(serve: Serve, options: Partial<AdmissionOptions> = {}) {
  const begun = new Map<IncomingMessage, number>();
  const faults: string[] = [];
  const responses: ServerResponse[] = [];
  const admission = createAdmission({
    proxies: 0,
    factor: 1,
    isFile: () => false,
    refuse: (incoming, response, refusal) => sendRefusal(incoming, response, refusal, {}),
    ...options,
  });
  const server: Server = createServer((incoming, response) => {
    responses.push(response);
    admission.admit(incoming, response, admission.laneOf(incoming.url ?? ''), () => {
      begun.set(incoming, (begun.get(incoming) ?? 0) + 1);
      if (response.headersSent || response.destroyed) faults.push('begun after its end');
      if (begun.get(incoming) !== 1) faults.push('begun twice');
      serve(incoming, response);
    });
  });
  server.listen(0, '0.0.0.0');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const agent = new Agent({ maxSockets: 500 });
  cleanups.push(() => {
    agent.destroy();
    server.closeAllConnections();
    server.close();
  });

  function send(path: string, { from = '127.0.0.1', body = [] as string[] } = {}): Promise<number> {
    return new Promise((resolve, reject) => {
      const method = body.length > 0 ? 'POST' : 'GET';
      const sent = request({ port, host: '127.0.0.1', localAddress: from, path, method, agent }, (response) => {
        response.resume();
        resolve(response.statusCode ?? 0);
      });
      sent.on('error', reject);
      // In one piece it tells its length, in several it does not.
      for (const piece of body.slice(0, -1)) sent.write(piece);
      sent.end(body.at(-1));
    });
  }

  /** Announces a body and sends a byte of it now and then. */
  function sendSlowly(path: string, from: string, length = 5_000): Socket {
    const socket = connect({ port, host: '127.0.0.1', localAddress: from });
    socket.on('error', () => {});
    socket.write(`POST ${path} HTTP/1.1\r\nHost: localhost\r\nContent-Length: ${length}\r\n\r\n`);
    const trickle = setInterval(() => socket.write(' '), 100);
    cleanups.push(() => {
      clearInterval(trickle);
      socket.destroy();
    });
    return socket;
  }
  return { send, sendSlowly, begun, faults, responses };
}

const many = (count: number, ask: () => Promise<number>) => Promise.all(Array.from({ length: count }, ask));

test('requests whose deadlines pass together are refused, and none of them is begun afterwards', async () => {
  const { send, faults } = await serverWith(() => {}, { deadlineMs: 400 });
  expect(await many(10, () => send('/rest/v1/Products'))).toEqual(Array(10).fill(503));
  await sleep(100);
  expect(faults).toEqual([]);
});

test('while the process is busy, requests that reach their deadline in the queue are refused and never begun', async () => {
  const busy = (_request: IncomingMessage, response: ServerResponse) => {
    const end = performance.now() + 10;
    while (performance.now() < end);
    response.end('ok');
  };
  const { send, begun, faults } = await serverWith(busy, { deadlineMs: 1_000, isBusy: () => true });
  const statuses = await many(90, () => send('/auth/v1/token'));
  await sleep(200);
  expect(faults).toEqual([]);
  // 503 for those at the front; the others wait behind their own address, which is rate limited.
  expect(statuses.every((status) => [200, 429, 503].includes(status))).toBe(true);
  expect(statuses).toContain(429);
  expect(statuses.filter((status) => status === 200)).toHaveLength(begun.size);
});

test('what was responded to while it waited, as at a shutdown, is not begun', async () => {
  const held: ServerResponse[] = [];
  const { send, begun, faults, responses } = await serverWith((_request, response) => held.push(response));
  const statuses = many(5, () => send('/rest/v1/Products'));
  while (responses.length < 5) await sleep(5);
  for (const response of responses.filter((one) => !held.includes(one))) response.writeHead(503).end();
  for (const response of held.splice(0)) response.end();
  expect((await statuses).sort()).toEqual([200, 200, 200, 503, 503]);
  expect(begun.size).toBe(3);
  expect(faults).toEqual([]);
});

test('slow bodies from several addresses take no place, and bytes that trickle in do not extend their deadline', async () => {
  const { send, sendSlowly, begun } = await serverWith((_request, response) => response.end('ok'), {
    deadlineMs: 1_500,
  });
  const path = '/auth/v1/token';
  const slow = ['127.0.0.11', '127.0.0.12', '127.0.0.13'].flatMap((from) => [
    sendSlowly(path, from),
    sendSlowly(path, from),
  ]);
  const heads = slow.map(async (socket) => String((await once(socket, 'data'))[0]).slice(0, 12));
  await sleep(300);
  expect(await send(path, { from: '127.0.0.99', body: ['{}'] })).toBe(200);
  expect(begun.size).toBe(1);
  expect(await Promise.all(heads)).toEqual(Array(6).fill('HTTP/1.1 503'));
  expect(begun.size).toBe(1);
});

test('an address has so many unfinished bodies at most; that stops no other, and they are freed when it leaves', async () => {
  const { send, sendSlowly, responses } = await serverWith((_request, response) => response.end('ok'));
  const slow = Array.from({ length: 256 }, () => sendSlowly('/rest/v1/rpc/search', '127.0.0.21'));
  while (responses.length < 256) await sleep(5);
  expect(await send('/rest/v1/rpc/search', { from: '127.0.0.21', body: ['{}'] })).toBe(429);
  expect(await send('/rest/v1/rpc/search', { from: '127.0.0.22', body: ['{}'] })).toBe(200);
  for (const socket of slow) socket.destroy();
  let status = 429;
  for (let n = 0; n < 200 && status === 429; n += 1) {
    await sleep(20);
    status = await send('/rest/v1/rpc/search', { from: '127.0.0.21', body: ['{}'] });
  }
  expect(status).toBe(200);
});

test('a body is read up to the ordinary limit before its request is begun; one that is longer untold is refused', async () => {
  const lengths: unknown[] = [];
  const { send } = await serverWith((incoming, response) => {
    lengths.push((incoming as { rawBody?: Buffer }).rawBody?.length);
    response.end();
  });
  expect(await send('/rest/v1/rpc/search', { body: ['x'.repeat(200_000)] })).toBe(200);
  expect(await send('/rest/v1/rpc/search', { body: ['x'.repeat(150_000), 'x'.repeat(50_000)] })).toBe(200);
  expect(await send('/rest/v1/rpc/search', { body: ['x'.repeat(150_000), 'x'.repeat(150_000)] })).toBe(413);
  expect(lengths).toEqual([200_000, 200_000]);
});

test('cached pages are sent at once, but an address that asks for very many of a busy process waits', () => {
  let isBusy = false;
  const options = { proxies: 0, factor: 1, isFile: () => false, refuse: () => {}, isBusy: () => isBusy };
  const { mayHaveCachedPageNow } = createAdmission(options);
  const from = (remoteAddress: string) => ({ headers: {}, socket: { remoteAddress } }) as IncomingMessage;
  const sentAtOnce = (address: string, count: number) =>
    Array.from({ length: count }, () => mayHaveCachedPageNow(from(address))).filter(Boolean).length;
  expect(sentAtOnce('203.0.113.66', 2_000)).toBe(2_000);
  isBusy = true;
  expect(sentAtOnce('203.0.113.66', 2_000)).toBeLessThan(500);
  expect(sentAtOnce('198.51.100.2', 100)).toBe(100);
});

test('health checks are answered at once, but an address that asks for very many of a busy process waits', async () => {
  const { send, begun, responses } = await serverWith(
    (incoming, response) => {
      if (incoming.socket.remoteAddress?.endsWith('127.0.0.41')) response.end();
    },
    { isBusy: () => true, factor: 0.1 },
  );
  for (let n = 0; n < 400; n += 1) void send('/healthz').catch(() => {}); // what still waits when the test ends
  while (responses.length < 400) await sleep(5);
  expect(begun.size).toBeGreaterThanOrEqual(30);
  expect(begun.size).toBeLessThan(300);
  expect(await send('/healthz', { from: '127.0.0.41' })).toBe(200);
});

test('a client that floods a busy process waits for its refusals: each would bring its next request', async () => {
  const { send, responses } = await serverWith((_request, response) => setTimeout(() => response.end(), 50), {
    isBusy: () => true,
  });
  const outcomes: string[] = [];
  for (let n = 0; n < 150; n += 1)
    void send('/auth/v1/token').then(
      (status) => status === 429 && outcomes.push('refused'),
      () => {}, // what still waits when the test ends
    );
  while (responses.length < 150) await sleep(1);
  outcomes.push(`another address: ${await send('/auth/v1/token', { from: '127.0.0.31' })}`);
  await expect.poll(() => outcomes.length).toBeGreaterThan(40);
  expect(outcomes.slice(0, 2)).toEqual(['another address: 200', 'refused']);
});
