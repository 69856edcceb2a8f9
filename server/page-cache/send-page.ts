import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Encoding, ReadyPage } from './page-cache.ts';

/** What is sent of a page: less where the browser has it already, and as small as it understands. */
export function answerWith(page: ReadyPage, method: string, asked: { encoding?: string; etag?: string }) {
  const isKnown = page.status === 200 && asked.etag?.split(',').some((etag) => etag.trim() === page.etag);
  const encoding = encodingFor(asked.encoding);
  const bytes = page.bodies[encoding];
  const headers: Record<string, string> = { ...page.headers, etag: page.etag, vary: 'accept-encoding' };
  if (isKnown) return { status: 304, headers, body: null };
  if (encoding !== 'identity') headers['content-encoding'] = encoding;
  headers['content-length'] = String(bytes.length);
  return { status: page.status, headers, body: method === 'HEAD' ? null : bytes };
}

/** Without the detour over Request and Response. */
export function sendPage(
  page: ReadyPage,
  request: IncomingMessage,
  response: ServerResponse,
  requestId: string,
): number {
  const { 'accept-encoding': encoding, 'if-none-match': etag } = request.headers;
  const { status, headers, body } = answerWith(page, request.method ?? 'GET', {
    encoding: String(encoding ?? ''),
    etag,
  });
  response.writeHead(status, { ...headers, 'x-request-id': requestId }).end(body);
  return status;
}

/** The smallest of those the browser takes. */
export function encodingFor(accepted = ''): Encoding {
  const takes = (name: string) =>
    new RegExp(`(^|,)\\s*${name}\\s*(,|$|;(?!\\s*q=0(\\.0*)?\\s*(,|$)))`, 'i').test(accepted);
  return takes('br') ? 'br' : takes('gzip') ? 'gzip' : 'identity';
}
