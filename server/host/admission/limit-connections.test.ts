import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { afterEach, expect, test } from 'vitest';
import { type ConnectionLimits, limitConnections } from './limit-connections.ts';

const attacker = '127.0.0.1';
/** macOS has one loopback address only. */
const others = process.platform === 'linux' ? '127.0.0.2' : null;
const sockets: Socket[] = [];
let server: Server;
let received: string[];

async function listen(limits?: ConnectionLimits): Promise<void> {
  const paths: string[] = [];
  received = paths;
  server = createServer((request, response) => {
    paths.push(request.url ?? '');
    response.end('answer');
  });
  limitConnections(server, 1, limits);
  server.listen({ port: 0, host: '0.0.0.0', backlog: 1024 });
  await once(server, 'listening');
}

/** A connection that sends a request at once and stays open. */
function open(localAddress: string, path = '/'): Socket {
  const { port } = server.address() as AddressInfo;
  const socket = connect({ port, host: localAddress, localAddress });
  socket.on('error', () => {}).resume();
  socket.write(`GET ${path} HTTP/1.1\r\nhost: shop\r\n\r\n`);
  sockets.push(socket);
  return socket;
}

const closed = (list: Socket[]) => list.filter(({ readyState }) => readyState === 'closed').length;

afterEach(() => {
  for (const socket of sockets.splice(0)) socket.destroy();
  server.close();
});

test('an address has 512 connections that are read at most, and that stops none of another', async () => {
  await listen();
  const flood = Array.from({ length: 600 }, () => open(attacker));
  await expect.poll(() => received.length).toBe(512);
  if (others) {
    open(others, '/other');
    await expect.poll(() => received).toContain('/other');
  }
  expect(received.filter((path) => path === '/')).toHaveLength(512);
  expect(closed(flood)).toBe(0);
});

test('connections beyond the limit are not closed at once, which would only bring them back: they wait for a place', async () => {
  await listen({ open: 2, newPerSecond: 1_000, waiting: 10, waitingInAll: 100, waitMs: 60_000 });
  const [first] = [open(attacker, '/1'), open(attacker, '/2')];
  await expect.poll(() => received).toHaveLength(2);
  const third = open(attacker, '/3');
  await once(third, 'connect');
  await new Promise((resolve) => setTimeout(resolve, 300));
  expect(received).toHaveLength(2);
  expect(third.readyState).toBe('open');
  first.destroy();
  await expect.poll(() => received).toContain('/3');
});

test('one that waits too long is closed, and so is one that finds too many waiting', async () => {
  await listen({ open: 2, newPerSecond: 1_000, waiting: 5, waitingInAll: 100, waitMs: 1_500 });
  open(attacker);
  open(attacker);
  await expect.poll(() => received).toHaveLength(2);
  const more = Array.from({ length: 20 }, () => open(attacker));
  await expect.poll(() => closed(more)).toBe(15);
  await expect.poll(() => closed(more), { timeout: 10_000 }).toBe(20);
  expect(received).toHaveLength(2);
});

test('a rate of new connections is kept by waiting, too', async () => {
  await listen({ open: 10, newPerSecond: 20, waiting: 100, waitingInAll: 100, waitMs: 60_000 });
  // Each is closed as soon as it is answered, so that only the rate stands in the way.
  for (let n = 0; n < 15; n += 1) {
    const socket = open(attacker, `/${n}`);
    socket.once('data', () => socket.destroy());
  }
  await expect.poll(() => received.length).toBeGreaterThanOrEqual(10);
  await expect.poll(() => received).toHaveLength(15);
});
