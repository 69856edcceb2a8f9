import { routeKind } from '../operations/metrics/request-metrics.ts';
import type { Metrics } from '../operations/metrics/serve-metrics.ts';
import type { Log } from './log.ts';
import { pathOf } from './request-target.ts';

/** `started`: as `performance.now()` has it. */
export type FinishedRequest = { id: string; method: string; url: string; status: number; started: number };
export type RecordRequest = (request: FinishedRequest) => void;

/** Counts a finished request for the metrics, and writes it to the log. */
export function createRequestLog(log: Log, metrics: Metrics | null): RecordRequest {
  return ({ id, method, url, status, started }) => {
    const path = pathOf(url);
    const ms = performance.now() - started;
    metrics?.observe(routeKind(path), status, ms / 1000);
    if (!isQuiet(path)) log({ level: 'info', event: 'request', id, method, path, status, ms: Math.round(ms) });
  };
}

/** Too many, and too much alike, to be worth a line each. */
function isQuiet(path: string): boolean {
  return path.startsWith('/assets/') || path.startsWith('/images/') || path === '/healthz' || path === '/metrics';
}
