import { once } from 'node:events';
import { createServer } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { expect, test } from 'vitest';
import { limitConnections } from './limit-connections.ts';

test('an address has 512 connections at most, and that closes none of another', async () => {
  const server = createServer();
  limitConnections(server, 1);
  server.listen({ port: 0, host: '0.0.0.0', backlog: 1024 });
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const sockets: Socket[] = [];
  const open = (host: string) => {
    const socket = connect({ port, host, localAddress: host });
    socket.on('error', () => {}).resume();
    sockets.push(socket);
    return socket;
  };
  const flood = Array.from({ length: 700 }, () => open('127.0.0.1'));
  await expect.poll(() => flood.filter(({ readyState }) => readyState === 'closed').length).toBeGreaterThan(50);
  const other = open(process.platform === 'linux' ? '127.0.0.2' : '127.0.0.1');
  await once(other, 'connect');
  await new Promise((resolve) => setTimeout(resolve, 100));
  expect(flood.filter(({ readyState }) => readyState === 'open').length).toBeLessThanOrEqual(512);
  if (process.platform === 'linux') expect(other.readyState).toBe('open');
  for (const socket of sockets) socket.destroy();
  server.close();
});
