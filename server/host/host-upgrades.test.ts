import { once } from 'node:events';
import { type AddressInfo, connect } from 'node:net';
import type { Duplex } from 'node:stream';
import { expect, test } from 'vitest';
import { createHost } from '../host.ts';
import type { Shop } from './host-state.ts';

test('an address that floods with handshakes is refused with 429 before any work, others are not', async () => {
  const host = createHost({
    clientDir: 'public',
    proxies: 1,
    clientLimit: 1,
    metricsToken: undefined,
    log: () => {},
  });
  let handshakes = 0;
  const backend = {
    handleUpgrade(_request: unknown, socket: Duplex) {
      handshakes += 1;
      socket.end('HTTP/1.1 101 Switching Protocols\r\n\r\n');
    },
  };
  host.open({ backend, pages: {}, siteUrl: 'http://localhost' } as unknown as Shop);
  host.server.listen(0, '127.0.0.1');
  await once(host.server, 'listening');
  const { port } = host.server.address() as AddressInfo;

  async function upgrade(address: string): Promise<string> {
    const socket = connect(port, '127.0.0.1');
    socket.write(
      `GET /realtime/v1/websocket HTTP/1.1\r\nHost: localhost\r\nConnection: Upgrade\r\nUpgrade: websocket\r\nX-Forwarded-For: ${address}\r\n\r\n`,
    );
    const [piece] = (await once(socket, 'data')) as [Buffer];
    socket.destroy();
    return piece.toString().slice(9, 12);
  }
  const statuses = await Promise.all(Array.from({ length: 500 }, (_, n) => upgrade(`2001:db8:1:2::${n.toString(16)}`)));
  expect(statuses.filter((status) => status === '429').length).toBeGreaterThan(100);
  expect(statuses.filter((status) => status === '101')).toHaveLength(handshakes);
  expect(handshakes).toBeGreaterThanOrEqual(200);
  expect(await upgrade('198.51.100.1')).toBe('101');
  host.server.close();
  host.server.closeAllConnections();
});
