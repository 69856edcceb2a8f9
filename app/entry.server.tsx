import { Writable } from 'node:stream';
import { renderToPipeableStream } from 'react-dom/server';
import { type EntryContext, type RouterContextProvider, ServerRouter } from 'react-router';
import { shopContext } from './shop-context.ts';
import { DocumentContext } from './ui/document.ts';
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
  const { nonce, readStyles } = host.get(shopContext);
  const styles = readStyles(stylesheetsOf(context));
  const modules = modulesOf(context);
  return new Promise((resolve, reject) => {
    const failures: unknown[] = [];
    const { pipe } = renderToPipeableStream(
      <DocumentContext value={{ nonce, styles, modules }}>
        <ServerRouter context={context} url={request.url} nonce={nonce} />
      </DocumentContext>,
      {
        nonce,
        // Every part stands in its place: a page can be read without scripts, and is painted at once.
        progressiveChunkSize: Number.POSITIVE_INFINITY,
        onAllReady() {
          // React would leave the part out and have the browser try again; half a page is an error.
          if (failures.length > 0) return reject(failures[0]);
          headers.set('content-type', 'text/html; charset=utf-8');
          pipe(collect((html) => resolve(new Response(html, { status, headers }))));
        },
        onShellError: reject,
        onError: (error) => void failures.push(error),
      },
    );
  });
}

/** Takes in all that is written to it. */
function collect(use: (whole: Buffer<ArrayBuffer>) => void): Writable {
  const chunks: Buffer[] = [];
  return new Writable({
    write(chunk: Buffer, _encoding, done) {
      chunks.push(chunk);
      done();
    },
    final(done) {
      use(Buffer.concat(chunks));
      done();
    },
  });
}

/** The stylesheets of the page's routes, in their order. */
function stylesheetsOf(context: EntryContext): string[] {
  const paths = routesOf(context).flatMap(({ css }) => css ?? []);
  // React Router marks a stylesheet that several routes share with a hash.
  return [...new Set(paths.map((path) => path.replace(/#.*$/, '')))];
}

function modulesOf(context: EntryContext): string[] {
  const { module, imports } = context.manifest.entry;
  const ofRoutes = routesOf(context).flatMap((route) => [route.module, ...(route.imports ?? [])]);
  return [...new Set([module, ...imports, ...ofRoutes])];
}

function routesOf({ manifest, staticHandlerContext }: EntryContext) {
  return staticHandlerContext.matches.flatMap(({ route }) => manifest.routes[route.id] ?? []);
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
