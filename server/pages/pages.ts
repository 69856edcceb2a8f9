import { randomUUID } from 'node:crypto';
import { pathToFileURL } from 'node:url';
import { createRequestHandler, RouterContextProvider, type ServerBuild } from 'react-router';
import type { Backend } from '../backends/backend.ts';
import { clientAddress } from '../host/client-address.ts';
import type { Log, LogEntry } from '../host/log.ts';
import { securityHeaders } from '../host/security-headers.ts';
import { isDatabaseAway } from '../postgres/database-away.ts';
import { compressed, encodingFor } from './compression.ts';
import { type CachedPage, createPageCache, type PageCache, type RenderedPage } from './page-cache.ts';
import { isSignInReturn, pageKey } from './page-key.ts';
import { type PageSources, pagePolicy, takeNonces } from './page-policy.ts';
import { responseOf } from './send-page.ts';
import { stylesheetReader } from './stylesheets.ts';
import { limitPerVisitor } from './visitor-limit.ts';

type EntryModule = typeof import('../../app/entry.server.tsx');
export type LoadBuild = () => Promise<ServerBuild>;

export const builtPages =
  (file: string): LoadBuild =>
  () =>
    import(pathToFileURL(file).href);

export type PagesOptions = {
  backend: Pick<Backend, 'publicConfig' | 'read' | 'note' | 'pagesLastMs'>;
  siteUrl: string;
  /** The built files of the browser: pages carry their stylesheets. */
  clientDir: string;
  loadBuild: LoadBuild;
  mode: 'production' | 'development';
  /** The real payment widget opens on these pages. */
  razorpay: boolean;
  /** How many proxies of our own stand in front: where a visitor's address is read. */
  proxies: number;
  log: Log;
};

type Rendering = { status: number; headers: Headers; holdsUntil: number } & (
  | { page: Buffer; body: null }
  | { page: null; body: ReadableStream<Uint8Array> | null }
);

/** In development: Vite's client needs inline scripts. */
const policyForVite = "frame-ancestors 'none'";

export type Pages = {
  /** The page for an address, if it is in the cache. */
  cached(url: string): CachedPage | null;
  /** A page that reports an error names the request by its id. */
  respond(request: Request, requestId: string, socketAddress?: string): Promise<Response>;
  counts: PageCache['counts'];
  /** Something that cached pages show has changed. */
  drop(): void;
};

/**
 * Renders pages with React Router, and caches those that are the same for everybody. In development the build changes
 * under us, so it is loaded for each request and nothing is cached.
 */
export async function createPages(options: PagesOptions): Promise<Pages> {
  const { backend, siteUrl, clientDir, loadBuild, mode, razorpay, proxies, log } = options;
  const isCaching = mode === 'production';
  const readStyles = mode === 'production' ? stylesheetReader(clientDir) : () => '';
  const cache = createPageCache();
  // What pages write down for the owner has one budget per node in the database (record_missed_search): no visitor gets
  // more than a part of it.
  const mayNote = limitPerVisitor({ most: 5, windowMs: 60_000 });
  let build = await loadBuild();
  let handler = createRequestHandler(build, mode);

  /** The page with its policy, or a response that is no page; and until when it holds. */
  async function render(request: Request, socketAddress?: string): Promise<Rendering> {
    if (mode === 'development') {
      build = await loadBuild();
      handler = createRequestHandler(build, mode);
    }
    const context = new RouterContextProvider();
    const nonce = randomUUID();
    let holdsUntil = 0;
    let isAway = false;
    // A request that makes no sense is an error to React Router too; it is none of the shop's.
    const failures: LogEntry[] = [];
    context.set(entryOf(build).shopContext, {
      siteUrl,
      publicConfig: backend.publicConfig,
      nonce,
      readStyles,
      read: (name, args) =>
        backend.read(name, args).catch((error: unknown) => {
          isAway ||= isDatabaseAway(error);
          throw error;
        }),
      note: (name, args) => {
        if (mayNote(clientAddress(request.headers, socketAddress, proxies))) backend.note(name, args).catch(() => {});
      },
      holdsUntil: (moment) => {
        holdsUntil = moment?.getTime() ?? Number.POSITIVE_INFINITY;
      },
      log: (entry) => failures.push(entry),
    });
    const response = await handler(request, context);
    if (response.status >= 500) for (const failure of failures) log(failure);
    const headers = new Headers(response.headers);
    const isUnavailable = isAway && response.status === 500;
    if (isUnavailable) headers.set('retry-after', '5');
    const rendering = { status: isUnavailable ? 503 : response.status, headers, holdsUntil };
    if (!headers.get('content-type')?.startsWith('text/html')) return { ...rendering, page: null, body: response.body };
    const { page, ...sources } = takeNonces(Buffer.from(await response.arrayBuffer()), nonce);
    headers.set('content-security-policy', mode === 'production' ? policyFor(sources) : policyForVite);
    return { ...rendering, page, body: null };
  }

  const policyFor = (sources: PageSources) => pagePolicy(sources, backend.publicConfig.url, { razorpay });

  /** The page as a visitor would get it with nothing in the address but what is part of the key. */
  async function renderForAll(key: string): Promise<RenderedPage> {
    const started = performance.now();
    const { status, headers, page, holdsUntil } = await render(new Request(siteUrl + key));
    if (page === null) throw new Error(`${key} is not a page`);
    headers.set('cache-control', 'no-cache');
    return {
      status,
      headers: { ...securityHeaders({ https: siteUrl.startsWith('https:') }), ...Object.fromEntries(headers) },
      bytes: page,
      // Greetings go by the calendar; the age of a page by a clock that is never set back.
      isExpired: () => status !== 200 || Date.now() >= holdsUntil || performance.now() >= started + backend.pagesLastMs,
    };
  }

  /** A page that is not cached. Where it reports an error it names the request of the visitor who gets it. */
  async function sendOnce(
    request: Request,
    requestId: string,
    page: { status: number; headers: Headers; bytes: Buffer },
  ): Promise<Response> {
    const { status, headers } = page;
    const bytes = status < 500 ? page.bytes : Buffer.from(entryOf(build).nameRequest(page.bytes.toString(), requestId));
    const encoding = encodingFor(request.headers.get('accept-encoding') ?? '');
    headers.append('vary', 'accept-encoding');
    if (encoding !== 'identity') headers.set('content-encoding', encoding);
    const body = request.method === 'HEAD' ? null : await compressed(bytes, encoding, 'once');
    return new Response(body as BodyInit | null, { status, headers });
  }

  async function respondFromCache(key: string, request: Request, requestId: string): Promise<Response> {
    const page = await cache.fill(key, () => renderForAll(key));
    if ('bytes' in page) {
      // The failure is in the log with the request that was rendered; others waited for the same.
      if (page.status >= 500) log({ level: 'warn', event: 'page-in-trouble', path: key });
      return sendOnce(request, requestId, { ...page, headers: new Headers(page.headers) });
    }
    const { status, headers, body } = responseOf(page, {
      method: request.method,
      acceptEncoding: request.headers.get('accept-encoding') ?? '',
      ifNoneMatch: request.headers.get('if-none-match') ?? '',
    });
    return new Response(body as BodyInit | null, { status, headers });
  }

  return {
    cached(url) {
      const key = isCaching ? pageKey(url) : null;
      return key === null ? null : cache.find(key);
    },
    async respond(request, requestId, socketAddress) {
      const { pathname, search } = new URL(request.url);
      const isRead = request.method === 'GET' || request.method === 'HEAD';
      const key = isCaching && isRead ? pageKey(pathname + search) : null;
      if (key !== null) return respondFromCache(key, request, requestId);
      const isForm = request.method === 'POST';
      const rendering = await render(isForm ? await atPublicAddress(request, siteUrl) : request, socketAddress);
      const { status, headers, page } = rendering;
      if (isSignInReturn(new URLSearchParams(search))) headers.set('cache-control', 'no-store');
      else if (!headers.has('cache-control')) headers.set('cache-control', 'no-cache');
      if (page === null) return new Response(rendering.body, { status, headers });
      return sendOnce(request, requestId, { status, headers, bytes: page });
    },
    drop: cache.drop,
    counts: cache.counts,
  };
}

/**
 * React Router compares where a form was posted from with the address of the request, which behind a proxy is another one
 * than the visitor's.
 */
async function atPublicAddress(request: Request, siteUrl: string): Promise<Request> {
  const { pathname, search } = new URL(request.url);
  const { method, headers, signal } = request;
  return new Request(siteUrl + pathname + search, { method, headers, signal, body: await request.arrayBuffer() });
}

// The context key that loaders use lives in the bundle; the same module imported here would be another object.
function entryOf(build: ServerBuild): EntryModule {
  return build.entry.module as unknown as EntryModule;
}
