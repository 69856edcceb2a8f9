import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, expect, test } from 'vitest';
import { createDrain, type Drain } from './drain.ts';

type Begun = { url: string; request: IncomingMessage; response: ServerResponse };

const clients: Socket[] = [];
let server: ReturnType<typeof createServer>;
let drain: Drain;
let begun: Begun[];
let upgraded: string[];
/** Whether a request is answered as soon as it is begun, or waits for the test. */
let answersAtOnce: boolean;

function listen(): Promise<void> {
  begun = [];
  upgraded = [];
  answersAtOnce = true;
  server = createServer({ keepAliveTimeout: 60_000, maxHeaderSize: 64 * 1024 }, (request, response) => {
    if (!drain.admit(request, response)) return;
    begun.push({ url: request.url ?? '', request, response });
    if (answersAtOnce) response.end(`answer to ${request.url}`);
  });
  server.on('upgrade', (request, socket) => {
    if (drain.admitUpgrade(socket as Socket)) upgraded.push(request.url ?? '');
  });
  drain = createDrain(server, {
    refuse(response) {
      response.writeHead(503);
      response.end('too late');
    },
  });
  return new Promise((listening) => server.listen(0, '127.0.0.1', () => listening()));
}

/** A client that keeps its side open, as one does whose request is already on its way. */
async function newClient(): Promise<{ socket: Socket; received(): string }> {
  const socket = connect({ port: (server.address() as AddressInfo).port, host: '127.0.0.1', allowHalfOpen: true });
  clients.push(socket);
  let text = '';
  socket.on('data', (chunk) => {
    text += chunk;
  });
  socket.on('error', () => {});
  await once(socket, 'connect');
  return { socket, received: () => text };
}

const get = (path: string, headers = '') => `GET ${path} HTTP/1.1\r\nhost: shop\r\n${headers}\r\n`;
const until = (isTrue: () => boolean) => expect.poll(isTrue).toBe(true);

afterEach(() => {
  for (const socket of clients.splice(0)) socket.destroy();
  server.close();
});

test('a request that arrives on a kept-alive connection after the end is not begun', async () => {
  await listen();
  const { socket, received } = await newClient();
  socket.write(get('/first'));
  await until(() => received().includes('answer to /first'));
  const finished = drain.finish(5_000);
  socket.write(get('/late'));
  await finished;
  await sleep(50);
  expect(begun.map(({ url }) => url)).toEqual(['/first']);
  expect(received()).not.toContain('/late');
});

test('a request that arrives between the last response and the end of the process is not begun', async () => {
  await listen();
  answersAtOnce = false;
  const [busy, idle] = [await newClient(), await newClient()];
  busy.socket.write(get('/slow'));
  await until(() => begun.length === 1);
  const finished = drain.finish(5_000);
  begun[0]?.response.end('done');
  await until(() => busy.received().includes('done'));
  busy.socket.write(get('/late'));
  idle.socket.write(get('/late'));
  await finished;
  await sleep(50);
  expect(begun.map(({ url }) => url)).toEqual(['/slow']);
  expect(busy.received()).toMatch(/connection: close/i);
});

test('pipelined requests that were begun are all answered, and no more are begun', async () => {
  await listen();
  answersAtOnce = false;
  const { socket, received } = await newClient();
  socket.write(get('/one') + get('/two'));
  await until(() => begun.length === 2);
  const finished = drain.finish(5_000);
  socket.write(get('/three'));
  await sleep(50);
  for (const { url, response } of begun) response.end(`answer to ${url}`);
  await finished;
  await until(() => received().includes('answer to /two'));
  expect(received()).toContain('answer to /one');
  expect(received().match(/connection: close/gi)).toHaveLength(1);
  expect(begun).toHaveLength(2);
});

test('a client that sends request after request without reading a response is disconnected', async () => {
  await listen();
  answersAtOnce = false;
  const { socket } = await newClient();
  const closed = new Promise((resolve) => socket.once('end', resolve).once('error', resolve));
  socket.write(Array.from({ length: 30 }, (_, n) => get(`/${n}`)).join(''));
  await closed;
  expect(begun.length).toBeLessThanOrEqual(8);
});

test('a client that sends requests with long headers without waiting for responses is disconnected', async () => {
  await listen();
  answersAtOnce = false;
  const { socket } = await newClient();
  const closed = new Promise((resolve) => socket.once('end', resolve).once('error', resolve));
  const long = `x-long: ${'a'.repeat(15_000)}\r\nx-more: ${'a'.repeat(1_500)}\r\n`;
  socket.write(get('/first', long) + get('/second', long));
  await closed;
  expect(begun.map(({ url }) => url)).toEqual(['/first']);
});

test('a connection whose next response is announced as its last takes no further request', async () => {
  await listen();
  answersAtOnce = false;
  drain.announce();
  const { socket, received } = await newClient();
  socket.write(get('/one') + get('/two'));
  await until(() => begun.length === 1);
  await sleep(20);
  expect(begun).toHaveLength(1);
  begun[0]?.response.end('last');
  await until(() => received().includes('last'));
  await drain.finish(5_000);
  expect(begun).toHaveLength(1);
});

test('a body that does not arrive in time is turned away before its request has done anything', async () => {
  await listen();
  answersAtOnce = false;
  const [slow, steady] = [await newClient(), await newClient()];
  slow.socket.write('POST /slow HTTP/1.1\r\nhost: shop\r\ncontent-length: 10\r\n\r\n12345');
  steady.socket.write('POST /steady HTTP/1.1\r\nhost: shop\r\ncontent-length: 10\r\n\r\n12345');
  await until(() => begun.length === 2);
  const read = Promise.allSettled(begun.map(({ request }) => request.toArray()));
  const finished = drain.finish(1_500);
  steady.socket.write('67890');
  await until(() => begun.some(({ url, request }) => url === '/steady' && request.complete));
  begun.find(({ url }) => url === '/steady')?.response.end('taken');
  await finished;
  slow.socket.write('67890');
  expect((await read).map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
  await until(() => steady.received().includes('taken'));
  expect(slow.received()).toBe('');
});

test('work that outlasts the shutdown is answered all the same', async () => {
  await listen();
  answersAtOnce = false;
  const { socket, received } = await newClient();
  socket.write(get('/endless'));
  await until(() => begun.length === 1);
  await drain.finish(100);
  await until(() => received().includes('too late'));
  expect(received()).toMatch(/^HTTP\/1\.1 503 /);
});

test('no websocket is opened after the end', async () => {
  await listen();
  const upgrade = 'connection: upgrade\r\nupgrade: websocket\r\n';
  const [first, second] = [await newClient(), await newClient()];
  first.socket.write(get('/realtime', upgrade));
  await until(() => upgraded.length === 1);
  const finished = drain.finish(5_000);
  second.socket.write(get('/late', upgrade));
  await finished;
  await sleep(50);
  expect(upgraded).toEqual(['/realtime']);
});
