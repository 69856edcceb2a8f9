import { connect, type Socket } from 'node:net';
import { afterAll, beforeAll, expect, test } from 'vitest';
import WebSocket from 'ws';
import { newDataDir, type RunningShop, removeDataDir, startShop } from '../support/shop.ts';
import { publicEnvironment } from '../support/visitor.ts';
import { eventually, leftoversOf, withSql } from './processes.ts';

let dataDir: string;
let shop: RunningShop;

beforeAll(async () => {
  dataDir = await newDataDir();
  shop = await startShop({ dataDir, env: { TRUST_PROXY: '1', SHOP_DEMO: '0' } });
});

afterAll(async () => {
  await shop?.stop('SIGKILL');
  await removeDataDir(dataDir);
});

/** A connection as bytes: what came so far, and whether the other side has said goodbye. */
function open(): Promise<{ socket: Socket; received(): string; isEnded(): boolean }> {
  const { hostname, port } = new URL(shop.url);
  return new Promise((resolve, reject) => {
    let received = '';
    let isEnded = false;
    const socket = connect(Number(port), hostname, () =>
      resolve({ socket, received: () => received, isEnded: () => isEnded }),
    );
    socket.on('data', (bytes) => {
      received += bytes;
    });
    socket.once('end', () => {
      isEnded = true;
    });
    socket.once('error', reject);
  });
}

test('there are no metrics without a token', async () => {
  const response = await fetch(`${shop.url}/metrics`, { headers: { authorization: 'Bearer ' } });
  expect(response.status).toBe(404);
});

test('a request keeps the id that a trusted proxy gave it, if it is well-formed', async () => {
  // The second time the page is kept.
  for (const path of ['/terms', '/terms', '/env.json', '/rest/v1/none']) {
    const named = await fetch(`${shop.url}${path}`, { headers: { 'x-request-id': 'edge-1.a_B' } });
    expect(named.headers.get('x-request-id')).toBe('edge-1.a_B');
    const odd = await fetch(`${shop.url}${path}`, { headers: { 'x-request-id': '<b>odd</b>' } });
    expect(odd.headers.get('x-request-id')).toMatch(/^[0-9a-f-]{36}$/);
  }
  await eventually(() => shop.output().includes('"id":"edge-1.a_B","method":"GET","path":"/env.json"'), 'in the log');
});

const noteOf = (html: string) => /Quote this reference if you write to us: <code>([^<]*)<\/code>/.exec(html)?.[1];

test('a page that failed shows the request id, a different one for each visitor; a cached page shows none', async () => {
  const kept = await (await fetch(`${shop.url}/terms`)).text();
  await withSql(dataDir, (sql) => sql.unsafe('alter function public.page_frame rename to page_frame_away'));
  await withSql(dataDir, (sql) => sql`select pg_notify('shop_pages', 'changed')`);
  await eventually(async () => (await fetch(`${shop.url}/terms`)).status === 500, 'the page fails');
  const failed = await Promise.all(
    ['/terms', '/terms', '/product/1', '/shop', '/shop?q=laddu'].map(async (path) => {
      const response = await fetch(`${shop.url}${path}`);
      return { status: response.status, id: response.headers.get('x-request-id'), html: await response.text() };
    }),
  );
  for (const { status, id, html } of failed) {
    expect(status).toBe(500);
    expect(noteOf(html)).toBe(id);
    for (const other of failed) if (other.id !== id) expect(html).not.toContain(other.id);
  }
  // The same name leads to the reason in the log.
  const reasons = shop
    .output()
    .split('\n')
    .filter((line) => line.includes('"page-failed"'))
    .map((line) => JSON.parse(line).id);
  expect(failed.filter(({ id }) => reasons.includes(id)).length).toBeGreaterThanOrEqual(1);

  await withSql(dataDir, (sql) => sql.unsafe('alter function public.page_frame_away rename to page_frame'));
  await eventually(async () => (await fetch(`${shop.url}/terms`)).status === 200, 'the page is back');
  for (const html of [kept, await (await fetch(`${shop.url}/terms`)).text()]) {
    expect(noteOf(html)).toBeUndefined();
    expect(html).not.toContain('If you write to us');
  }
});

test('accepted requests get their complete response, the others are closed, and the shop stops cleanly', async () => {
  const { key } = await publicEnvironment(shop.url);

  const idle = await open();
  idle.socket.write('GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n');
  await eventually(() => idle.received().includes('{"status":"ok"}'), 'an answer on a connection that stays open');
  expect(idle.received()).not.toMatch(/^connection: close/im);
  expect(idle.received()).toMatch(/^keep-alive: timeout=125$/im);

  const live = new WebSocket(`${shop.url.replace('http', 'ws')}/realtime/v1/websocket?apikey=${key}`);
  const goodbye = new Promise<number>((resolve) => live.once('close', resolve));
  await new Promise((resolve, reject) => live.once('open', resolve).once('error', reject));

  const body = JSON.stringify({ pincode: '400001' });
  const slow = await open();
  slow.socket.write(
    [
      'POST /rest/v1/rpc/check_delivery HTTP/1.1',
      'Host: localhost',
      `apikey: ${key}`,
      'Content-Type: application/json',
      `Content-Length: ${body.length}`,
      'Expect: 100-continue',
      '\r\n',
    ].join('\r\n'),
  );
  // The server has begun with it, and waits for the rest.
  await eventually(() => slow.received().startsWith('HTTP/1.1 100 Continue\r\n\r\n'), 'the request is let in');

  const exited = shop.stop('SIGTERM');
  await eventually(idle.isEnded, 'the idle connection is closed');
  await eventually(
    () =>
      open().then(
        ({ socket }) => {
          socket.destroy();
          return false;
        },
        (error) => error.code === 'ECONNREFUSED',
      ),
    'new connections are refused',
  );
  expect(shop.process.exitCode).toBeNull();

  slow.socket.write(body);
  await eventually(slow.isEnded, 'the answer has come');
  const [, head = '', answer = ''] = slow.received().split('\r\n\r\n');
  expect(head).toMatch(/^HTTP\/1\.1 200 /);
  expect(head).toMatch(/^connection: close$/im);
  expect(JSON.parse(answer)).toEqual({ ok: false, reason: 'outside-zones' });

  expect(await goodbye).toBe(1001);
  expect(await exited).toBe(0);
  expect(leftoversOf(dataDir)).toEqual([]);
});
