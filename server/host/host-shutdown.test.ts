import { once } from 'node:events';
import { type AddressInfo, connect } from 'node:net';
import { afterEach, expect, test, vi } from 'vitest';
import { createHost } from '../host.ts';
import { REQUEST_DEADLINE_MS } from './admission/admission.ts';
import type { Shop } from './host-state.ts';

afterEach(() => void vi.useRealTimers());

test('a shutdown waits as long as an admitted request may take, and answers it', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  const host = createHost({ clientDir: 'public', proxies: 0, clientLimit: 1, metricsToken: undefined, log: () => {} });
  const begun = Promise.withResolvers<void>();
  const result = Promise.withResolvers<Response>();
  const backend = {
    serve() {
      begun.resolve();
      return result.promise;
    },
  };
  host.open({ backend, pages: { cached: () => null }, siteUrl: 'http://localhost' } as unknown as Shop);
  host.server.listen(0, '127.0.0.1');
  await once(host.server, 'listening');
  const socket = connect((host.server.address() as AddressInfo).port, '127.0.0.1');
  let received = '';
  socket.on('data', (piece) => {
    received += piece;
  });
  socket.write('GET /rest/v1/Products HTTP/1.1\r\nhost: localhost\r\n\r\n');
  await begun.promise;

  const finished = host.finish();
  await vi.advanceTimersByTimeAsync(REQUEST_DEADLINE_MS - 100);
  expect(received).toBe('');
  result.resolve(Response.json(['done']));
  await once(socket, 'close');
  expect(received).toMatch(/^HTTP\/1\.1 200 OK\r\n/);
  expect(received).toContain('["done"]');
  await finished;
});
