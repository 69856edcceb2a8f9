import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import { createAdmission, REQUEST_DEADLINE_MS } from './host/admission/admission.ts';
import { limitConnections } from './host/admission/limit-connections.ts';
import { type Refusal, refuseAtShutdown, sendRefusal } from './host/admission/refusal.ts';
import { filesIn } from './host/client-files.ts';
import { siteHeaders } from './host/cross-origin.ts';
import { createDrain } from './host/drain.ts';
import { type HostState, isOnHttps, type Shop } from './host/host-state.ts';
import { createHttpServer } from './host/http-server.ts';
import { describeError, type Log } from './host/log.ts';
import { requestIdOf } from './host/request-id.ts';
import { createRequestLog } from './host/request-log.ts';
import { pathOf } from './host/request-target.ts';
import { createRoutes } from './host/routes.ts';
import { securityHeaders } from './host/security-headers.ts';
import { createUpgrades } from './host/upgrades.ts';
import { routeKind } from './operations/metrics/request-metrics.ts';
import { createMetrics } from './operations/metrics/serve-metrics.ts';
import type { CachedPage } from './pages/page-cache.ts';
import { sendPage } from './pages/send-page.ts';

export type Host = {
  server: Server;
  open(shop: Shop): void;
  /** Development only: Vite serves source files and its own socket. */
  serveSourcesWith(middleware: SourceMiddleware): void;
  /** Says on /healthz that the shop is stopping, for load balancers; requests are still admitted. */
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

type SourceMiddleware = (request: IncomingMessage, response: ServerResponse, next: () => void) => void;

/** Every admitted request has a response by its deadline; the rest is for sending the last ones. */
const SHUTDOWN_MS = REQUEST_DEADLINE_MS + 500;

/** From a socket to a response: a request is admitted, waits for its turn, and is served by a cached page or a route. */
export function createHost({ clientDir, proxies, clientLimit, metricsToken, log }: HostOptions): Host {
  const trustProxy = proxies > 0;
  const state: HostState = { shop: null, isStopping: false };
  let sources: SourceMiddleware | null = null;
  const metrics = metricsToken ? createMetrics(metricsToken) : null;
  const recordRequest = createRequestLog(log, metrics);
  const serveRoute = createRoutes({ clientDir, trustProxy, state, metrics, recordRequest, log });
  const files = filesIn(clientDir);
  const admission = createAdmission({ proxies, factor: clientLimit, isFile: (path) => files.has(path), refuse });
  const server = createHttpServer({ trustProxy, isOnHttps: () => isOnHttps(state) }, onRequest);
  const drain = createDrain(server, { refuse: refuseAtShutdown });
  if (!trustProxy) limitConnections(server, clientLimit);
  const belongsToSources = (url: string) => sources !== null && !isBackendPath(url);
  server.on('upgrade', createUpgrades({ proxies, clientLimit, state, drain, belongsToSources }));
  // Node itself would respond to any number of these, past every limit. Closing makes the next one a new connection.
  server.on('checkExpectation', (request: IncomingMessage, response: ServerResponse) => {
    if (!drain.admit(request, response)) return;
    response.writeHead(417, { ...headersFor(request), connection: 'close', 'content-length': 0 }).end();
    request.resume();
  });

  function onRequest(request: IncomingMessage, response: ServerResponse): void {
    if (!drain.admit(request, response)) return;
    const page = cachedPage(request);
    if (page && admission.mayHaveCachedPageNow(request)) {
      sendCached(page, request, response);
      return;
    }
    const lane = page ? 'files' : admission.laneOf(pathOf(request.url ?? ''));
    const admit = () =>
      admission.admit(request, response, lane, () => {
        const current = page && cachedPage(request); // the cache may have changed while this request waited
        if (current) sendCached(current, request, response);
        else serve(request, response);
      });
    if (sources && belongsToSources(request.url ?? '')) sources(request, response, admit);
    else admit();
  }

  function serve(request: IncomingMessage, response: ServerResponse): void {
    if (response.headersSent || response.destroyed) return;
    const path = pathOf(request.url ?? '');
    // Set first, so that a route's own headers replace them.
    const headers = headersFor(request);
    for (const name in headers) response.setHeader(name, headers[name] as string);
    // Mostly personal. Pictures of products are not: Storage says itself how long they may be cached.
    if (/^\/(rest|functions)\/v1\//.test(path)) response.setHeader('cache-control', 'no-store');
    serveRoute(request, response).catch((error: unknown) => {
      log({ level: 'error', event: 'request-failed', path, error: describeError(error) });
      response.destroy();
    });
  }

  function cachedPage({ method, headers, url }: IncomingMessage): CachedPage | null {
    if (method !== 'GET' && method !== 'HEAD') return null;
    if (!isHostName.test(headers.host ?? '')) return null; // refused by the routes, as for every other address
    return state.shop?.pages.cached(url ?? '') ?? null;
  }

  /** Cached pages need no routes. */
  function sendCached(page: CachedPage, request: IncomingMessage, response: ServerResponse): void {
    const started = performance.now();
    const id = requestIdOf(request.headers['x-request-id'], trustProxy);
    const status = sendPage(page, request, response, id);
    recordRequest({ id, method: request.method ?? '', url: request.url ?? '', status, started });
  }

  let isProxyReported = false;
  function refuse(request: IncomingMessage, response: ServerResponse, refusal: Refusal): void {
    metrics?.observe(routeKind(pathOf(request.url ?? '')), refusal.status, 0);
    if (!trustProxy && !isProxyReported && request.headers['x-forwarded-for']) {
      isProxyReported = true;
      const advice = 'Requests come through a proxy, and all clients count as one address: set TRUST_PROXY.';
      log({ level: 'warn', event: 'proxy-not-trusted', problem: advice });
    }
    sendRefusal(request, response, refusal, headersFor(request));
  }

  /** Of every response, whatever part of the host sends it. */
  function headersFor({ url = '', headers: { origin } }: IncomingMessage): Record<string, string> {
    const ofSite = siteHeaders({ path: pathOf(url), origin }, state.shop?.siteUrl);
    return { ...securityHeaders({ https: isOnHttps(state) }), ...ofSite };
  }

  return {
    server,
    open(shop) {
      state.shop = shop;
    },
    serveSourcesWith(middleware) {
      sources = middleware;
    },
    announceEnd() {
      state.isStopping = true;
      drain.announce();
    },
    finish: () => drain.finish(SHUTDOWN_MS),
  };
}

const isHostName = /^[\w.:[\]-]+$/;

function isBackendPath(url: string): boolean {
  return /^\/(rest|auth|storage|functions|realtime)\/v1|^\/(healthz|metrics|env\.json|demo-identity|demo-mail|test-payments)/.test(
    url,
  );
}
