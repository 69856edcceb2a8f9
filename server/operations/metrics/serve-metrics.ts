import { monitorEventLoopDelay } from 'node:perf_hooks';
import { Registry } from 'prom-client';
import { isSameSecret } from '../../../supabase/functions/_shared/is-same-secret.ts';
import { problem } from '../../../supabase/functions/_shared/problem.ts';
import type { PageCache } from '../../pages/page-cache.ts';
import { type Figure, gauge, labelled, register } from './figure.ts';
import { requestMetrics } from './request-metrics.ts';

const LAG_RESOLUTION_MS = 20;

export type MetricsSources = { pages: ReturnType<PageCache['counts']>; figures(): Promise<Figure[]> };

/** Serves metrics to scrapers that send the token. */
export function createMetrics(token: string) {
  const counted = new Registry();
  const requests = requestMetrics(counted);
  const lag = monitorEventLoopDelay({ resolution: LAG_RESOLUTION_MS });
  lag.enable();

  /** Since the last scrape. */
  function eventLoopLag(): Figure {
    // A timer that is on time is as late as its own interval.
    const late = (nanoseconds: number) => Math.max(0, nanoseconds / 1e9 - LAG_RESOLUTION_MS / 1000) || 0;
    const values = { '0.5': late(lag.percentile(50)), '0.99': late(lag.percentile(99)), '1': late(lag.max) };
    lag.reset();
    return labelled(
      'mithaas_event_loop_lag_seconds',
      'How late the event loop was since the last reading, by quantile.',
      'quantile',
      values,
    );
  }

  return {
    observe: requests.observe,
    async serve(request: Request, sources: MetricsSources): Promise<Response> {
      const [, given = ''] = /^Bearer (.+)$/i.exec(request.headers.get('authorization') ?? '') ?? [];
      if (!isSameSecret(given, token)) {
        return problem(401, 'token-required', 'Metrics need their token.', { 'www-authenticate': 'Bearer' });
      }
      if (request.method !== 'GET' && request.method !== 'HEAD')
        return problem(405, 'method-not-allowed', 'Metrics are read with GET.', { allow: 'GET, HEAD' });
      const { pages } = sources;
      const { rss, heapUsed, heapTotal, external } = process.memoryUsage();
      const scraped = new Registry();
      const figures: Figure[] = [
        {
          ...labelled('mithaas_page_cache_requests_total', 'Public pages by cache hit or miss.', 'result', {
            hit: pages.hits,
            miss: pages.misses,
          }),
          type: 'counter',
        },
        {
          ...gauge('mithaas_page_cache_drops_total', 'How often the page cache was emptied.', pages.drops),
          type: 'counter',
        },
        gauge('mithaas_page_cache_pages', 'Cached pages.', pages.pages),
        gauge('mithaas_page_cache_bytes', 'Memory of the cached pages.', pages.bytes),
        labelled('mithaas_process_memory_bytes', 'Memory of the web process by kind.', 'kind', {
          resident: rss,
          'heap-used': heapUsed,
          'heap-total': heapTotal,
          external,
        }),
        gauge('mithaas_process_uptime_seconds', 'Time since the process started.', process.uptime()),
        eventLoopLag(),
        ...(await sources.figures()),
      ];
      for (const figure of figures) register(figure, scraped);
      const text = await Registry.merge([counted, scraped]).metrics();
      const headers = { 'content-type': counted.contentType, 'cache-control': 'no-store' };
      return new Response(request.method === 'HEAD' ? null : text, { headers });
    },
  };
}

export type Metrics = ReturnType<typeof createMetrics>;
