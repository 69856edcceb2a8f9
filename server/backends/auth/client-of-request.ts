import { clientAddress } from '../../host/client-address.ts';
import type { Client } from './security-log.ts';

/** Where a request came from, and with what. */
export function clientOf({ headers }: Request, socketAddress: string | undefined, proxies: number): Client {
  const address = clientAddress(headers, socketAddress, proxies).replace(/^::ffff:(?=[\d.]+$)/, '');
  return { address, userAgent: headers.get('user-agent') ?? '' };
}

/** Tells the database where a request came from, in the header that the edge of a hosted project sets, and with what. */
export function fromClient(request: Request, { address, userAgent }: Client): Request {
  request.headers.set('cf-connecting-ip', address);
  request.headers.set('user-agent', userAgent);
  return request;
}
