import { Counter, Histogram, type Registry } from 'prom-client';

/** Kinds of requests. Few and fixed: a label per path would be too many time series. */
export type RouteKind = 'page' | 'file' | 'data' | 'sign-in' | 'upload' | 'function' | 'demo' | 'health' | 'other';

const kinds: [RegExp, RouteKind][] = [
  [/^\/(assets|images)\/|^\/__manifest$/, 'file'],
  [/^\/rest\/v1(\/|$)/, 'data'],
  [/^\/auth\/v1(\/|$)/, 'sign-in'],
  [/^\/storage\/v1(\/|$)/, 'upload'],
  [/^\/functions\/v1(\/|$)/, 'function'],
  [/^\/(demo-identity|demo-mail|test-payments)(\/|$)/, 'demo'],
  [/^\/(healthz|metrics|env\.json)$/, 'health'],
  [/^\/realtime\//, 'other'],
  [/^\/[^.]*$/, 'page'],
  [/\.data$/, 'page'],
  [/\.[a-z0-9]+$/i, 'file'],
];

export function routeKind(pathname: string): RouteKind {
  return kinds.find(([pattern]) => pattern.test(pathname))?.[1] ?? 'other';
}

const buckets = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];

/** Requests by kind and class of status, and the time until the response was ready to be sent. */
export function requestMetrics(registry: Registry) {
  const requests = new Counter({
    name: 'mithaas_http_requests_total',
    help: 'Requests by what they were for and the class of their status.',
    labelNames: ['kind', 'status'],
    registers: [registry],
  });
  const durations = new Histogram({
    name: 'mithaas_http_request_duration_seconds',
    help: 'Time until the response was ready to be sent.',
    labelNames: ['kind'],
    buckets,
    registers: [registry],
  });
  return {
    observe(kind: RouteKind, status: number, seconds: number): void {
      requests.inc({ kind, status: `${Math.floor(status / 100)}xx` });
      durations.observe({ kind }, seconds);
    },
  };
}
