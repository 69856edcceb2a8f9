import { createServer, type IncomingMessage, type Server, type ServerResponse, STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { getRequestListener } from '@hono/node-server';
import { serveStatic } from '@hono/node-server/serve-static';
import { type Context, Hono } from 'hono';
import { problem } from '../supabase/functions/_shared/problem.ts';
import type { Backend } from './backends/backend.ts';
import { filesIn } from './client-files.ts';
import { createAdmission, REQUEST_DEADLINE_MS } from './host/admission/admission.ts';
import { inTime } from './host/admission/in-time.ts';
import { limitConnections } from './host/admission/limit-connections.ts';
import { limitRate } from './host/admission/rate-limit.ts';
import { sendRefusal } from './host/admission/refusal.ts';
import { clientGroup } from './host/client-address.ts';
import { siteHeaders } from './host/cross-origin.ts';
import { drainOf } from './host/drain.ts';
import { describeError, type Log, withRequestId } from './host/log.ts';
import { requestIdOf } from './host/request-id.ts';
import { currentRequest } from './host/request-scope.ts';
import { isPlainTarget, pathOf } from './host/request-target.ts';
import { routeKind } from './operations/metrics/request-metrics.ts';
import { createMetrics } from './operations/metrics/serve-metrics.ts';
import type { ReadyPage } from './page-cache/page-cache.ts';
import { sendPage } from './page-cache/send-page.ts';
import type { Pages } from './pages.ts';
import { securityHeaderLines, securityHeaders, workerPolicy } from './security-headers.ts';

type Bindings = {
  Bindings: { incoming: IncomingMessage; outgoing: ServerResponse };
  Variables: { requestId: string };
};

/** What the host serves once everything is up; before that it only says that it is starting. */
export type Shop = { backend: Backend; pages: Pages; siteUrl: string };

type SourceMiddleware = (request: IncomingMessage, response: ServerResponse, next: () => void) => void;

export type Host = {
  server: Server;
  open(shop: Shop): void;
  /** Development only: Vite answers for source files and its own socket. */
  serveSourcesWith(middleware: SourceMiddleware): void;
  /** Says on /healthz that it stops, for whoever sends people here; they are still let in. */
  announceEnd(): void;
  /** Admits no more requests, and resolves when every admitted one has its response. */
  finish(): Promise<void>;
};

export type HostOptions = {
  /** Folder with the built client files and everything of public/. */
  clientDir: string;
  /** How many proxies in front name the client's address, and the request. */
  proxies: number;
  /** How many times the usual one client address may use. */
  clientLimit: number;
  /** Without one there are no metrics. */
  metricsToken: string | undefined;
  log: Log;
};

export function createHost({ clientDir, proxies, clientLimit, metricsToken, log }: HostOptions): Host {
  const trustProxy = proxies > 0;
  const metrics = metricsToken ? createMetrics(metricsToken) : null;
  let shop: Shop | null = null;
  let sources: SourceMiddleware | null = null;
  let isStopping = false;
  const app = new Hono<Bindings>();

  const isOnHttps = () => shop?.siteUrl.startsWith('https:') ?? false;

  /** Of every response, whoever gives it. */
  function headersFor({ url = '', headers: { origin } }: IncomingMessage): Record<string, string> {
    return {
      ...securityHeaders({ https: isOnHttps() }),
      ...siteHeaders({ path: pathOf(url), origin }, shop?.siteUrl),
    };
  }

  type Done = { id: string; method: string; url: string; status: number; started: number };
  function noteRequest({ id, method, url, status, started }: Done): void {
    const path = pathOf(url);
    const ms = performance.now() - started;
    metrics?.observe(routeKind(path), status, ms / 1000);
    if (isQuiet(path)) return;
    log({ level: 'info', event: 'request', id, method, path, status, ms: Math.round(ms) });
  }

  app.use(async (context, next) => {
    const started = performance.now();
    const { incoming, outgoing } = context.env;
    const id = requestIdOf(incoming.headers['x-request-id'], trustProxy);
    context.set('requestId', id);
    outgoing.setHeader('x-request-id', id);
    await withRequestId(id, () => inTime(context, next));
    currentRequest()?.responded();
    noteRequest({ id, method: context.req.method, url: incoming.url ?? '', status: context.res.status, started });
  });
  app.onError((error, context) => {
    log({
      level: 'error',
      event: 'request-failed',
      id: context.get('requestId'),
      path: new URL(context.req.url).pathname,
      error: describeError(error),
    });
    return problem(500, 'unexpected', 'Something went wrong. Please try again.');
  });
  app.use(async (context, next) => {
    if (!isPlainTarget(context.env.incoming.url ?? '') || !isWellFormed(context.req.url))
      return problem(400, 'malformed-address', 'This address is not valid.');
    return next();
  });

  app.get('/healthz', async (context) => {
    const health = isStopping ? { status: 'stopping' } : shop ? await shop.backend.health() : { status: 'starting' };
    // A balancer that takes a node away when it cannot sell would take the pages away, too.
    const isUp = health.status === 'ok' || (health.status === 'read-only' && context.req.query('for') === 'pages');
    return Response.json(health, { status: isUp ? 200 : 503, headers: { 'cache-control': 'no-store' } });
  });
  app.use(async (_context, next) => {
    if (!shop)
      return problem(503, 'starting', 'The shop is opening. Please try again in a moment.', { 'retry-after': '2' });
    return next();
  });
  app.get('/env.json', () => {
    const { url, key } = ready(shop).backend.publicConfig;
    return Response.json({ url: url ?? ready(shop).siteUrl, key }, { headers: { 'cache-control': 'no-cache' } });
  });
  app.all('/metrics', (context) => {
    if (!metrics) return problem(404, 'no-metrics', 'Metrics are off: METRICS_TOKEN is not set.');
    const { backend, pages } = ready(shop);
    return metrics.serve(context.req.raw, { pages: pages.counts(), figures: backend.figures });
  });
  app.use(async (context, next) => {
    const response = await ready(shop).backend.serve(context.req.raw, context.env.incoming.socket.remoteAddress);
    return response ?? next();
  });
  app.use(
    '/assets/*',
    serveStatic({
      root: clientDir,
      precompressed: true,
      onFound: (_path, context) => context.header('cache-control', 'public, max-age=31536000, immutable'),
    }),
  );
  app.use(
    '/service-worker.js',
    serveStatic({
      root: clientDir,
      precompressed: true,
      onFound: (_path, context) => {
        context.header('cache-control', 'no-cache'); // a new build takes over with the next page
        context.header('content-security-policy', workerPolicy);
      },
    }),
  );
  app.use('*', async (context, next) => (mayBeFile(context) ? staticFile(context, next) : next()));
  const staticFile = serveStatic<Bindings>({
    root: clientDir,
    precompressed: true,
    onFound: (_path, context) => context.header('cache-control', 'public, max-age=3600'),
  });
  app.all('*', (context) =>
    ready(shop).pages.respond(context.req.raw, context.get('requestId'), context.env.incoming.socket.remoteAddress),
  );

  const listener = getRequestListener((request, env) => app.fetch(request, env as Bindings['Bindings']), {
    errorHandler: () => problem(400, 'malformed-request', 'This request is not valid.'),
  });
  const files = filesIn(clientDir);
  let isProxyReported = false;
  const admission = createAdmission({
    proxies,
    factor: clientLimit,
    isFile: (path) => files.has(path),
    refuse(request, response, refusal) {
      metrics?.observe(routeKind(pathOf(request.url ?? '')), refusal.status, 0);
      if (!trustProxy && !isProxyReported && request.headers['x-forwarded-for']) {
        isProxyReported = true;
        const advice = 'Requests come through a proxy, and all clients count as one address: set TRUST_PROXY.';
        log({ level: 'warn', event: 'proxy-not-trusted', problem: advice });
      }
      sendRefusal(request, response, refusal, headersFor(request));
    },
  });

  /** Headers that are there before an answer is written give way to those it brings itself. */
  function answer(request: IncomingMessage, respond: ServerResponse): void {
    if (respond.headersSent || respond.destroyed) return;
    const headers = headersFor(request);
    for (const name in headers) respond.setHeader(name, headers[name] as string);
    // Mostly personal. Pictures of products are not: Storage says itself how long they may be kept.
    if (/^\/(rest|functions)\/v1\//.test(pathOf(request.url ?? ''))) respond.setHeader('cache-control', 'no-store');
    listener(request, respond).catch((error: unknown) => {
      log({ level: 'error', event: 'request-failed', path: pathOf(request.url ?? ''), error: describeError(error) });
      respond.destroy();
    });
  }

  function cachedPage({ method, headers, url }: IncomingMessage): ReadyPage | null {
    if (method !== 'GET' && method !== 'HEAD') return null;
    if (!isHost.test(headers.host ?? '')) return null; // refused on the long way, as for every other address
    return shop?.pages.kept(url ?? '') ?? null;
  }

  /** Cached pages are sent without the rest of the way. */
  function sendCached(page: ReadyPage, request: IncomingMessage, response: ServerResponse): void {
    const started = performance.now();
    const id = requestIdOf(request.headers['x-request-id'], trustProxy);
    const status = sendPage(page, request, response, id);
    noteRequest({ id, method: request.method ?? '', url: request.url ?? '', status, started });
  }

  const server = createServer(
    {
      requestTimeout: 30_000,
      headersTimeout: 10_000, // from the first byte of a request on: no limit for connections that wait for one
      keepAliveTimeout: trustProxy ? KEPT_FOR_PROXY_MS : KEPT_FOR_BROWSER_MS,
      // Room for whoever looks for ten thousand letters of Devanagari; they are told what was found for the first of them.
      maxHeaderSize: 128 * 1024,
      // Whoever offers HTTP/2 in passing (h2c) is answered in HTTP/1.1, as the standard has it.
      shouldUpgradeCallback: (request: IncomingMessage) => request.headers.upgrade?.toLowerCase() === 'websocket',
    } as never,
    (request, respond) => {
      if (!drain.admit(request, respond)) return;
      const page = cachedPage(request);
      if (page && admission.mayHaveCachedPageNow(request)) {
        sendCached(page, request, respond);
        return;
      }
      const lane = page ? 'files' : admission.laneOf(pathOf(request.url ?? ''));
      const admit = () =>
        admission.admit(request, respond, lane, () => {
          const current = page && cachedPage(request); // what was cached may have changed while this one waited
          if (current) sendCached(current, request, respond);
          else answer(request, respond);
        });
      if (sources && !isBackendPath(request.url ?? '')) sources(request, respond, admit);
      else admit();
    },
  );
  if (!trustProxy) limitConnections(server, clientLimit);
  const mayUpgrade = limitRate({
    burst: UPGRADES_AT_ONCE * clientLimit,
    perSecond: UPGRADES_PER_SECOND * clientLimit,
  });
  const drain = drainOf(server, { refuse: refuseLate });
  // Node itself would respond to any number of these, past every limit. Closing makes the next one a new connection.
  server.on('checkExpectation', (request: IncomingMessage, response: ServerResponse) => {
    if (!drain.admit(request, response)) return;
    response.writeHead(417, { ...headersFor(request), connection: 'close', 'content-length': 0 }).end();
    request.resume();
  });
  server.on('upgrade', (request: IncomingMessage, socket: Duplex, head: Buffer) => {
    // Node lets go of a socket that leaves HTTP: nobody else would hear that it broke, and an error nobody hears ends us.
    socket.on('error', () => socket.destroy());
    if (!drain.admitUpgrade(socket as Socket)) return;
    if (sources && !isBackendPath(request.url ?? '')) return; // Vite's own socket
    const isAllowed = mayUpgrade(clientGroup(request, proxies));
    if (isAllowed && shop && request.url?.startsWith('/realtime/v1/'))
      shop.backend.handleUpgrade(request, socket, head);
    else {
      socket.once('finish', () => socket.destroy()); // or who never hangs up would hold it for good
      endWith(socket, !isAllowed ? 429 : shop ? 404 : 503);
    }
  });
  server.on('clientError', (error: NodeJS.ErrnoException, socket: Duplex) => {
    if (!socket.writable || error.code === 'ECONNRESET') socket.destroy(error);
    else endWith(socket, statusOfNoRequest[error.code ?? ''] ?? 400);
  });
  function endWith(socket: Duplex, status: number): void {
    const sentence = status === 431 ? 'This address is too long.' : (STATUS_CODES[status] ?? '');
    const head = [
      `HTTP/1.1 ${status} ${STATUS_CODES[status]}`,
      'Connection: close',
      'Content-Type: text/plain; charset=utf-8',
      `Content-Length: ${sentence.length}`,
    ];
    socket.end([...head, ...securityHeaderLines({ https: isOnHttps() }), '', sentence].join('\r\n'));
  }
  return {
    server,
    announceEnd() {
      isStopping = true;
      drain.announce();
    },
    finish: () => drain.finish(SHUTDOWN_MS),
    open(opened) {
      shop = opened;
    },
    serveSourcesWith(middleware) {
      sources = middleware;
    },
  };
}

/** Every admitted request is answered by its deadline; the rest is for sending the responses of that moment. */
const SHUTDOWN_MS = REQUEST_DEADLINE_MS + 500;

/** Longer than proxies keep a connection they do not use (nginx 60 s, Caddy 120 s), or they send a request into its end. */
const KEPT_FOR_PROXY_MS = 125_000;
/** A proxy has few connections, the street has many: what each browser holds open takes memory. */
const KEPT_FOR_BROWSER_MS = 5_000;

/** As many as one address may have open (server/realtime/limits.ts): after a restart all browsers behind it come back. */
const UPGRADES_AT_ONCE = 200;
const UPGRADES_PER_SECOND = 10;

const isHost = /^[\w.:[\]-]+$/;

/** What Node itself would answer to bytes that are no request; everything else is a 400. */
const statusOfNoRequest: Record<string, number> = {
  HPE_HEADER_OVERFLOW: 431,
  HPE_CHUNK_EXTENSIONS_OVERFLOW: 413,
  ERR_HTTP_REQUEST_TIMEOUT: 408,
};

/** Work that outlasts the shutdown: the caller learns that its result is unknown instead of losing the connection. */
function refuseLate(response: ServerResponse): void {
  if (response.headersSent || response.destroyed) {
    response.destroy();
    return;
  }
  const message = 'The shop is restarting. Please check whether your last step was saved before you try again.';
  response.writeHead(503, { 'content-type': 'application/json', 'retry-after': '5' });
  response.end(JSON.stringify({ error: { code: 'stopping', message } }));
}

/** Too many, and too much alike, to be worth a line each. */
function isQuiet(path: string): boolean {
  return path.startsWith('/assets/') || path.startsWith('/images/') || path === '/healthz' || path === '/metrics';
}

function ready(shop: Shop | null): Shop {
  if (!shop) throw new Error('the shop is not open yet');
  return shop;
}

function isBackendPath(url: string): boolean {
  return /^\/(rest|auth|storage|functions|realtime)\/v1|^\/(healthz|metrics|env\.json|demo-identity|demo-mail|test-payments)/.test(
    url,
  );
}

/** Pages have no dot in their last part; files do. */
function mayBeFile(context: Context): boolean {
  const { pathname } = new URL(context.req.url);
  return (
    (context.req.method === 'GET' || context.req.method === 'HEAD') &&
    /\.[a-z0-9]+$/i.test(pathname) &&
    !pathname.endsWith('.data')
  );
}

function isWellFormed(url: string): boolean {
  try {
    const { pathname, search } = new URL(url);
    decodeURIComponent(pathname);
    decodeURIComponent(search);
    return !pathname.includes('\0') && !/%00/.test(pathname);
  } catch {
    return false;
  }
}
