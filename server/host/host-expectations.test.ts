import { once } from 'node:events';
import { type AddressInfo, connect } from 'node:net';
import { expect, test } from 'vitest';
import { createHost } from '../host.ts';

test('a request with an unknown expectation is refused, and ends its connection: it passes no limit', async () => {
  const host = createHost({ clientDir: 'public', proxies: 0, clientLimit: 1, metricsToken: undefined, log: () => {} });
  host.server.listen(0, '127.0.0.1');
  await once(host.server, 'listening');
  const socket = connect((host.server.address() as AddressInfo).port, '127.0.0.1');
  let received = '';
  socket.on('data', (piece) => {
    received += piece;
  });
  socket.on('error', () => {});
  const closed = once(socket, 'close');
  socket.write('GET / HTTP/1.1\r\nhost: localhost\r\nexpect: cake\r\n\r\n');
  await closed;
  expect(received).toMatch(/^HTTP\/1\.1 417 /);
  expect(received.toLowerCase()).toContain('x-content-type-options: nosniff');

  const flood = connect((host.server.address() as AddressInfo).port, '127.0.0.1');
  let responses = 0;
  flood.on('data', (piece) => {
    responses += String(piece).split('HTTP/1.1 417').length - 1;
  });
  flood.on('error', () => {});
  const ended = once(flood, 'close');
  flood.write('GET / HTTP/1.1\r\nhost: localhost\r\nexpect: cake\r\n\r\n'.repeat(500));
  await ended;
  expect(responses).toBeLessThanOrEqual(8);
  await host.finish();
});
