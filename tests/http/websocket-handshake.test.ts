import { once } from 'node:events';
import { connect } from 'node:net';
import { afterAll, expect, inject, test } from 'vitest';
import { isIn } from '../support/in-shapes.ts';
import { instanceKeys } from '../support/instance-keys.ts';
import { expectClearRefusal, type RawRequest, rawRequest } from './raw-request.ts';

const shopUrl = inject('shopUrl');
const keys = instanceKeys(inject('shopDataDir'));
const socket = '/realtime/v1/websocket';
const good = `${socket}?apikey=${keys.publishableKey}&vsn=2.0.0`;
const upgrade = {
  Connection: 'Upgrade',
  Upgrade: 'websocket',
  'Sec-WebSocket-Version': '13',
  'Sec-WebSocket-Key': 'dGhlIHNhbXBsZSBub25jZQ==',
};
const without = (name: keyof typeof upgrade) =>
  Object.fromEntries(Object.entries(upgrade).filter(([key]) => key !== name));

afterAll(async () => {
  expect((await rawRequest(shopUrl, { target: '/healthz' })).status).toBe(200);
});

test('a valid handshake is accepted, from programs and from our own pages', async () => {
  expect((await rawRequest(shopUrl, { target: good, headers: upgrade })).status).toBe(101);
  expect((await rawRequest(shopUrl, { target: good, headers: { ...upgrade, Origin: shopUrl } })).status).toBe(101);
});

test.each<[name: string, request: RawRequest, status: number]>([
  ['without a key', { target: socket }, 401],
  ['with an empty key', { target: `${socket}?apikey=` }, 401],
  ['with a wrong key', { target: `${socket}?apikey=sb_publishable_guess` }, 401],
  ['with the secret key, which does not belong into addresses', { target: `${socket}?apikey=${keys.secretKey}` }, 401],
  ['with a key that cannot be decoded', { target: `${socket}?apikey=%E0%A4%A` }, 401],
  ['with a null byte', { target: `${socket}?apikey=%00` }, 401],
  ['with a very long key', { target: `${socket}?apikey=${'a'.repeat(9000)}` }, 401],
  ['from the page of another site', { target: good, headers: { Origin: 'https://evil.example' } }, 403],
  ['from a page whose address begins like ours', { target: good, headers: { Origin: `${shopUrl}.evil.example` } }, 403],
  ['from a page without an address', { target: good, headers: { Origin: 'null' } }, 403],
  ['in an old version of the protocol', { target: good.replace('2.0.0', '1.0.0') }, 400],
  ['in an unknown version', { target: good.replace('2.0.0', "'; drop table orders").replaceAll(' ', '%20') }, 400],
  ['at another path', { target: good.replace('websocket', 'other') }, 404],
  ['at a path behind it', { target: good.replace('websocket', 'websocket/x') }, 404],
  ['at a path through dots', { target: good.replace('websocket', 'websocket/../../x') }, 404],
  ['at a path with a double slash', { target: good.replace('/websocket', '//websocket') }, 404],
])('a handshake %s is refused with a reason', async (_name, request, status) => {
  const answer = await rawRequest(shopUrl, { ...request, headers: { ...upgrade, ...request.headers } });
  expectClearRefusal(answer, request);
  expect(answer.status).toBe(status);
  expect(answer.body).not.toContain(keys.secretKey);
});

test.each<[name: string, request: RawRequest]>([
  ['without its nonce', { headers: without('Sec-WebSocket-Key'), target: good }],
  ['with a nonce of the wrong length', { headers: { ...upgrade, 'Sec-WebSocket-Key': 'short' }, target: good }],
  ['without a version', { headers: without('Sec-WebSocket-Version'), target: good }],
  ['with version 99', { headers: { ...upgrade, 'Sec-WebSocket-Version': '99' }, target: good }],
  ['by POST', { method: 'POST', headers: upgrade, target: good }],
  ['to another protocol', { headers: { ...upgrade, Connection: 'Upgrade, close', Upgrade: 'smtp' }, target: good }],
])('a handshake %s is refused with a 4xx', async (_name, request) => {
  const { status } = await rawRequest(shopUrl, request);
  expect(status).toBeGreaterThanOrEqual(400);
  expect(status).toBeLessThan(500);
});

test.each(['/', '/rest/v1/Products', '/auth/v1/user', '/functions/v1/notify', '/%', '//'])(
  'there is no websocket at %s',
  async (target) => {
    const { status } = await rawRequest(shopUrl, { target, headers: upgrade });
    expect(status).toBeGreaterThanOrEqual(400);
    expect(status).toBeLessThan(500);
  },
);

test('a client that disconnects during a websocket handshake affects no other client', async () => {
  const { hostname, port } = new URL(shopUrl);
  for (const target of ['/', '/nothing', '/realtime/v1/websocket', good]) {
    for (let i = 0; i < 10; i += 1) {
      const socket = connect(Number(port), hostname);
      await once(socket, 'connect');
      socket.write(`GET ${target} HTTP/1.1\r\nHost: localhost\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n`);
      await new Promise((sent) => setImmediate(sent));
      socket.resetAndDestroy();
    }
  }
  expect((await rawRequest(shopUrl, { target: '/healthz' })).status).toBe(200);
});

// Before several nodes stands a proxy, which hangs up as it likes.
if (!isIn('nodes'))
  test('a client that stays connected after a refused websocket is disconnected', async () => {
    const { hostname, port } = new URL(shopUrl);
    const socket = connect({ port: Number(port), host: hostname, allowHalfOpen: true });
    socket.write('GET /nothing HTTP/1.1\r\nHost: localhost\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n');
    socket.resume();
    await once(socket, 'end');
    socket.on('error', () => {});
    const closed = new Promise((done) => socket.once('close', done));
    const talking = setInterval(() => socket.write('still here'), 20);
    await closed;
    clearInterval(talking);
  });
