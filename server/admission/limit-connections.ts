import type { Server } from 'node:http';
import { addressGroup } from '../client-address.ts';

/** Browsers open six at most, and idle ones are closed after five seconds: enough for a hundred shoppers behind one address. */
const CONNECTIONS_PER_ADDRESS = 512;

/** Closes further connections of an address that has very many open. Behind a proxy the proxy's own limit applies. */
export function limitConnections(server: Server, factor: number): void {
  const open = new Map<string, number>();
  server.prependListener('connection', (socket) => {
    const address = addressGroup(socket.remoteAddress ?? '');
    const count = (open.get(address) ?? 0) + 1;
    open.set(address, count);
    socket.once('close', () => {
      const left = (open.get(address) ?? 1) - 1;
      if (left > 0) open.set(address, left);
      else open.delete(address);
    });
    if (count > CONNECTIONS_PER_ADDRESS * factor) socket.destroy();
  });
}
