import type { Server } from 'node:http';
import { addressGroup } from '../client-address.ts';

/** Browsers open six at most, and idle ones are closed after five seconds: enough for a hundred shoppers behind one address. */
const CONNECTIONS_PER_ADDRESS = 512;
const NEW_PER_SECOND = 100;

type Client = { open: number; tokens: number; refilledAt: number };

/**
 * Closes further connections of an address that has very many open, or opens very many. Behind a proxy the proxy's own
 * limit applies.
 */
export function limitConnections(server: Server, factor: number): void {
  const most = CONNECTIONS_PER_ADDRESS * factor;
  const perMs = (NEW_PER_SECOND * factor) / 1000;
  const clients = new Map<string, Client>();

  function mayOpen(client: Client): boolean {
    const now = performance.now();
    client.tokens = Math.min(most, client.tokens + (now - client.refilledAt) * perMs) - 1;
    client.refilledAt = now;
    if (client.tokens >= 0) return client.open <= most;
    client.tokens = 0;
    return false;
  }

  server.prependListener('connection', (socket) => {
    const address = addressGroup(socket.remoteAddress ?? '');
    const client = clients.get(address) ?? { open: 0, tokens: most, refilledAt: performance.now() };
    clients.set(address, client);
    client.open += 1;
    socket.once('close', () => {
      client.open -= 1;
    });
    if (!mayOpen(client)) socket.destroy();
  });
  setInterval(() => {
    const now = performance.now();
    for (const [address, { open, tokens, refilledAt }] of clients)
      if (open === 0 && tokens + (now - refilledAt) * perMs >= most) clients.delete(address);
  }, 10_000).unref();
}
