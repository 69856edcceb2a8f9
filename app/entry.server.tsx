import { PassThrough } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { renderToPipeableStream } from 'react-dom/server';
import { type EntryContext, type RouterContextProvider, ServerRouter } from 'react-router';
import { shopContext } from './shop-context.ts';
import { NonceContext } from './ui/nonce.ts';
import { nameRequest } from './ui/request-note.tsx';

export { nameRequest, shopContext };

/** Renders the whole page before it is sent: the host caches it, and hashes its inline scripts. */
export default function handleRequest(
  request: Request,
  status: number,
  headers: Headers,
  context: EntryContext,
  host: RouterContextProvider,
): Promise<Response> {
  const { nonce } = host.get(shopContext);
  return new Promise((resolve, reject) => {
    const failures: unknown[] = [];
    const { pipe } = renderToPipeableStream(
      <NonceContext value={nonce}>
        <ServerRouter context={context} url={request.url} nonce={nonce} />
      </NonceContext>,
      {
        nonce,
        // Every part stands in its place: a page can be read without scripts, and is painted at once.
        progressiveChunkSize: Number.POSITIVE_INFINITY,
        onAllReady() {
          // React would leave the part out and have the browser try again; half a page is an error.
          if (failures.length > 0) return reject(failures[0]);
          headers.set('content-type', 'text/html; charset=utf-8');
          buffer(pipe(new PassThrough())).then((html) => resolve(new Response(html, { status, headers })), reject);
        },
        onShellError: reject,
        onError: (error) => void failures.push(error),
      },
    );
  });
}

/** Into the host's own log, without what people typed into the address. */
export function handleError(
  error: unknown,
  { request, context }: { request: Request; context: Readonly<RouterContextProvider> },
): void {
  if (request.signal.aborted) return;
  const { name, message, stack } = error instanceof Error ? error : new Error(String(error));
  context.get(shopContext).log({
    level: 'error',
    event: 'page-failed',
    path: new URL(request.url).pathname,
    error: { name, message, ...(stack ? { stack } : {}) },
  });
}
