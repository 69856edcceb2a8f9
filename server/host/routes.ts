import type { IncomingMessage, ServerResponse } from 'node:http';
import { getRequestListener } from '@hono/node-server';
import { serveStatic } from '@hono/node-server/serve-static';
import { type Context, Hono } from 'hono';
import { problem } from '../../supabase/functions/_shared/problem.ts';
import type { Metrics } from '../operations/metrics/serve-metrics.ts';
import { respondBeforeDeadline } from './admission/respond-before-deadline.ts';
import type { HostState, Shop } from './host-state.ts';
import { describeError, type Log, withRequestId } from './log.ts';
import { requestIdOf } from './request-id.ts';
import type { RecordRequest } from './request-log.ts';
import { currentRequest } from './request-scope.ts';
import { isPlainTarget } from './request-target.ts';
import { workerPolicy } from './security-headers.ts';

type Bindings = {
  Bindings: { incoming: IncomingMessage; outgoing: ServerResponse };
  Variables: { requestId: string };
};

export type RoutesOptions = {
  clientDir: string;
  trustProxy: boolean;
  state: HostState;
  metrics: Metrics | null;
  recordRequest: RecordRequest;
  log: Log;
};

/** What serves an admitted request: health and metrics, then the backend, then files, then pages. */
export function createRoutes({ clientDir, trustProxy, state, metrics, recordRequest, log }: RoutesOptions) {
  const app = new Hono<Bindings>();

  app.use(async (context, next) => {
    const started = performance.now();
    const { incoming, outgoing } = context.env;
    const id = requestIdOf(incoming.headers['x-request-id'], trustProxy);
    context.set('requestId', id);
    outgoing.setHeader('x-request-id', id);
    await withRequestId(id, () => respondBeforeDeadline(context, next));
    currentRequest()?.responded();
    recordRequest({ id, method: context.req.method, url: incoming.url ?? '', status: context.res.status, started });
  });
  app.onError((error, context) => {
    const { pathname: path } = new URL(context.req.url);
    const id = context.get('requestId');
    log({ level: 'error', event: 'request-failed', id, path, error: describeError(error) });
    return problem(500, 'unexpected', 'Something went wrong. Please try again.');
  });
  app.use(async (context, next) => {
    if (!isPlainTarget(context.env.incoming.url ?? '') || !isWellFormed(context.req.url))
      return problem(400, 'malformed-address', 'This address is not valid.');
    return next();
  });

  app.get('/healthz', async (context) => {
    const { shop, isStopping } = state;
    const health = isStopping ? { status: 'stopping' } : shop ? await shop.backend.health() : { status: 'starting' };
    // A load balancer that removes a read-only node would take its pages away, too.
    const isUp = health.status === 'ok' || (health.status === 'read-only' && context.req.query('for') === 'pages');
    return Response.json(health, { status: isUp ? 200 : 503, headers: { 'cache-control': 'no-store' } });
  });
  app.use(async (_context, next) => {
    if (!state.shop)
      return problem(503, 'starting', 'The shop is opening. Please try again in a moment.', { 'retry-after': '2' });
    return next();
  });
  app.get('/env.json', () => {
    const { backend, siteUrl } = opened(state);
    const { url, key } = backend.publicConfig;
    return Response.json({ url: url ?? siteUrl, key }, { headers: { 'cache-control': 'no-cache' } });
  });
  app.all('/metrics', (context) => {
    if (!metrics) return problem(404, 'no-metrics', 'Metrics are off: METRICS_TOKEN is not set.');
    const { backend, pages } = opened(state);
    return metrics.serve(context.req.raw, { pages: pages.counts(), figures: backend.figures });
  });
  app.use(async (context, next) => {
    const { backend } = opened(state);
    const response = await backend.serve(context.req.raw, context.env.incoming.socket.remoteAddress);
    return response ?? next();
  });

  const files = (headers: Record<string, string>) =>
    serveStatic<Bindings>({
      root: clientDir,
      precompressed: true,
      onFound(_path, context) {
        for (const name in headers) context.header(name, headers[name]);
      },
    });
  app.use('/assets/*', files({ 'cache-control': 'public, max-age=31536000, immutable' }));
  // no-cache: a new build takes over with the next page.
  app.use('/service-worker.js', files({ 'cache-control': 'no-cache', 'content-security-policy': workerPolicy }));
  const otherFiles = files({ 'cache-control': 'public, max-age=3600' });
  app.use('*', async (context, next) => (mayBeFile(context) ? otherFiles(context, next) : next()));
  app.all('*', ({ req, env, get }) =>
    opened(state).pages.respond(req.raw, get('requestId'), env.incoming.socket.remoteAddress),
  );

  return getRequestListener((request, env) => app.fetch(request, env as Bindings['Bindings']), {
    errorHandler: () => problem(400, 'malformed-request', 'This request is not valid.'),
  });
}

function opened({ shop }: HostState): Shop {
  if (!shop) throw new Error('the shop is not open yet');
  return shop;
}

/** Pages have no dot in their last part; files do. */
function mayBeFile({ req }: Context): boolean {
  const { pathname } = new URL(req.url);
  const isRead = req.method === 'GET' || req.method === 'HEAD';
  return isRead && /\.[a-z0-9]+$/i.test(pathname) && !pathname.endsWith('.data');
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
