import type { IncomingMessage, ServerResponse } from 'node:http';
import { encodingFor } from './compression.ts';
import type { CachedPage } from './page-cache.ts';

type PageRequest = { method: string; acceptEncoding?: string | undefined; ifNoneMatch?: string | undefined };
type PageResponse = { status: number; headers: Record<string, string>; body: Buffer | null };

/** 304 where the browser has the page already, else its bytes in the smallest encoding that the browser accepts. */
export function responseOf(page: CachedPage, { method, acceptEncoding, ifNoneMatch }: PageRequest): PageResponse {
  const { headers, body } = page.responses[encodingFor(acceptEncoding)];
  if (page.status === 200 && ifNoneMatch?.split(',').some((etag) => etag.trim() === page.etag)) {
    const { 'content-length': _length, 'content-encoding': _encoding, ...others } = headers;
    return { status: 304, headers: others, body: null };
  }
  return { status: page.status, headers, body: method === 'HEAD' ? null : body };
}

/** Sends a cached page without the detour over Request and Response, and returns its status. */
export function sendPage(page: CachedPage, request: IncomingMessage, response: ServerResponse, id: string): number {
  const { 'accept-encoding': acceptEncoding, 'if-none-match': ifNoneMatch } = request.headers;
  const method = request.method ?? 'GET';
  const { status, headers, body } = responseOf(page, {
    method,
    acceptEncoding: String(acceptEncoding ?? ''),
    ifNoneMatch,
  });
  response.writeHead(status, { ...headers, 'x-request-id': id }).end(body);
  return status;
}
