import type { IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { limitRate } from './admission/rate-limit.ts';
import { clientGroup } from './client-address.ts';
import type { Drain } from './drain.ts';
import { type HostState, isOnHttps } from './host-state.ts';
import { endWithStatus } from './http-server.ts';

/** As many as one address may have open (server/realtime/limits.ts): after a restart all browsers behind it come back. */
const BURST = 200;
const PER_SECOND = 10;

type UpgradesOptions = {
  proxies: number;
  clientLimit: number;
  state: HostState;
  drain: Drain;
  /** Development only: Vite's own socket. */
  belongsToSources(url: string): boolean;
};

/** Hands websockets to the backend, within a rate limit for each address. */
export function createUpgrades({ proxies, clientLimit, state, drain, belongsToSources }: UpgradesOptions) {
  const isWithinLimit = limitRate({ burst: BURST * clientLimit, perSecond: PER_SECOND * clientLimit });

  return (request: IncomingMessage, socket: Duplex, head: Buffer): void => {
    // Node hands the socket over without a listener, and an unhandled error would end the process.
    socket.on('error', () => socket.destroy());
    if (!drain.admitUpgrade(socket as Socket)) return;
    const url = request.url ?? '';
    if (belongsToSources(url)) return;
    const { shop } = state;
    const isAllowed = isWithinLimit(clientGroup(request, proxies));
    if (isAllowed && shop && url.startsWith('/realtime/v1/')) {
      shop.backend.handleUpgrade(request, socket, head);
      return;
    }
    socket.once('finish', () => socket.destroy()); // a client that never hangs up would hold it for good
    endWithStatus(socket, !isAllowed ? 429 : shop ? 404 : 503, isOnHttps(state));
  };
}
