import type { IncomingMessage } from 'node:http';

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

/** What one client can choose from freely counts as one: an IPv6 network of 64 bits; an IPv4 address is one by itself. */
export function addressGroup(address: string): string {
  const plain = address.replace(/^::ffff:(?=\d+\.)/i, '');
  if (!plain.includes(':')) return plain;
  const [before = '', after] = plain.replace(/%.*$/, '').toLowerCase().split('::');
  const head = before.split(':').filter(Boolean);
  const tail = after?.split(':').filter(Boolean) ?? [];
  const zeros = after === undefined ? 0 : Math.max(0, 8 - head.length - tail.length);
  const groups = [...head, ...Array<string>(zeros).fill('0'), ...tail];
  return `${groups
    .slice(0, 4)
    .map((group) => group.replace(/^0+(?=.)/, ''))
    .join(':')}::/64`;
}

/** True for a browser on this very machine: a local name in the address bar, a local socket, and nothing in between. */
export function isFromThisMachine(request: Request, socketAddress: string | undefined): boolean {
  if (!/^(127\.|::1$|::ffff:127\.)/.test(socketAddress ?? '')) return false;
  const host = request.headers.get('host') ?? '';
  const name = /^(\[[^\]]*\]|[^:[\]]*)(:\d+)?$/.exec(host)?.[1];
  return (
    loopbackNames.has((name ?? '').toLowerCase()) && forwardingHeaders.every((header) => !request.headers.has(header))
  );
}
