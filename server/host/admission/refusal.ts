import type { IncomingMessage, ServerResponse } from 'node:http';

export type Refusal = { status: 413 | 429 | 503; code: string; message: string; retryAfter: number };

export const tooSlow: Refusal = {
  status: 503,
  code: 'too-slow',
  message: 'This took too long. Please try again in a moment.',
  retryAfter: 5,
};

export const tooMany = (retryAfter: number): Refusal => ({
  status: 429,
  code: 'too-many-requests',
  message: 'Too many requests from your network at once. Please try again in a moment.',
  retryAfter,
});

export const tooLong: Refusal = {
  status: 413,
  code: 'body-too-large',
  message: 'This request is too large. The limit is 256 KiB.',
  retryAfter: 60,
};

/** With as little work as possible: a client that is refused may have sent thousands. */
export function sendRefusal(
  request: IncomingMessage,
  response: ServerResponse,
  { status, code, message, retryAfter }: Refusal,
  headers: Record<string, string>,
): void {
  if (response.headersSent || response.destroyed) return;
  const body = JSON.stringify({ error: { code, message } });
  response.writeHead(status, {
    ...headers,
    'content-type': 'application/json',
    'content-length': Buffer.byteLength(body),
    'cache-control': 'no-store',
    'retry-after': String(retryAfter),
  });
  response.end(request.method === 'HEAD' ? undefined : body);
  request.resume();
}

/** For work that outlasts the shutdown: the caller learns that its result is unknown instead of losing the connection. */
export function refuseAtShutdown(response: ServerResponse): void {
  if (response.headersSent || response.destroyed) {
    response.destroy();
    return;
  }
  const message = 'The shop is restarting. Please check whether your last step was saved before you try again.';
  response.writeHead(503, { 'content-type': 'application/json', 'retry-after': '5' });
  response.end(JSON.stringify({ error: { code: 'stopping', message } }));
}
