import type { Server } from 'node:http';
import { addressGroup } from '../client-address.ts';
import { limitRate } from './rate-limit.ts';

/** Browsers open six at most, and idle ones are closed after five seconds: enough for a hundred shoppers behind one address. */
const CONNECTIONS_PER_ADDRESS = 512;
const NEW_PER_SECOND = 100;

/**
 * Closes further connections of an address that has very many open, or opens very many. Behind a proxy the proxy's own
 * limit applies.
 */
export function limitConnections(server: Server, factor: number): void {
  const most = CONNECTIONS_PER_ADDRESS * factor;
  const isAllowed = limitRate({ burst: most, perSecond: NEW_PER_SECOND * factor });
  const openBy = new Map<string, number>();

  server.prependListener('connection', (socket) => {
    const address = addressGroup(socket.remoteAddress ?? '');
    const open = (openBy.get(address) ?? 0) + 1;
    openBy.set(address, open);
    socket.once('close', () => {
      const left = (openBy.get(address) ?? 1) - 1;
      if (left > 0) openBy.set(address, left);
      else openBy.delete(address);
    });
    if (!isAllowed(address) || open > most) socket.destroy();
  });
}
