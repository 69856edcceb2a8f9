import type { IncomingMessage } from 'node:http';
import { clientNetwork } from '../../domain/client-network.ts';

const forwardingHeaders = ['forwarded', 'x-forwarded-for', 'x-forwarded-host', 'x-forwarded-proto', 'x-real-ip', 'via'];
const loopbackNames = new Set(['localhost', '127.0.0.1', '[::1]']);

/** The address that rate limits count: what the first of our own proxies saw, or the socket's own. */
export function clientAddress(headers: Headers, socketAddress: string | undefined, proxies: number): string {
  return forwardedAddress(headers.get('x-forwarded-for') ?? undefined, socketAddress, proxies);
}

export function forwardedAddress(
  forwardedFor: string | string[] | undefined,
  socketAddress: string | undefined,
  proxies: number,
): string {
  const addresses = proxies > 0 ? (forwardedFor?.toString().split(',') ?? []) : [];
  // Each of them wrote one; whatever stands before those came with the request and may be invented.
  const forwarded = addresses.at(-Math.min(proxies, addresses.length))?.trim();
  return forwarded || socketAddress || 'unknown';
}

/** The address group that limits of the host count for a request. */
export function clientGroup({ headers, socket }: IncomingMessage, proxies: number): string {
  return addressGroup(forwardedAddress(headers['x-forwarded-for'], socket.remoteAddress, proxies));
}

/** Addresses that one client can choose from freely count as one. */
export const addressGroup = (address: string): string => clientNetwork(address)?.name ?? address;

/** True for a browser on this very machine: a local name in the address bar, a local socket, and nothing in between. */
export function isFromThisMachine(request: Request, socketAddress: string | undefined): boolean {
  if (!/^(127\.|::1$|::ffff:127\.)/.test(socketAddress ?? '')) return false;
  const host = request.headers.get('host') ?? '';
  const name = /^(\[[^\]]*\]|[^:[\]]*)(:\d+)?$/.exec(host)?.[1];
  return (
    loopbackNames.has((name ?? '').toLowerCase()) && forwardingHeaders.every((header) => !request.headers.has(header))
  );
}
