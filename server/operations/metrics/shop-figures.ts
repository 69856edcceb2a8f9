import type { Sql } from 'postgres';
import { z } from 'zod';
import { countOrders, queueFigures } from '../../../supabase/contracts/jobs.ts';
import { type Figure, gauge, labelled } from './figure.ts';

/** Results of the SQL functions of the same names; null: not in time. */
export const BusinessFigures = z.object({
  queues: queueFigures.result.nullable(),
  orders: countOrders.result.nullable(),
});
type BusinessFigures = z.infer<typeof BusinessFigures>;

const CACHED_MS = 5_000;
const TIMEOUT_MS = 3_000;

/** Read at most every few seconds, for any number of scrapers. */
export function cachedFigures(read: () => Promise<Figure[]>): () => Promise<Figure[]> {
  let cached: { at: number; figures: Promise<Figure[]> } | null = null;
  return () => {
    const now = performance.now(); // a monotonic clock
    if (!cached || now - cached.at > CACHED_MS) cached = { at: now, figures: read() };
    return cached.figures;
  };
}

/** Figures from the database. Each is its own query, so that a slow one does not hide the others or look like a database that is away. */
export async function shopFigures(sql: Sql, timeoutMs = TIMEOUT_MS): Promise<Figure[]> {
  const within = <T>(query: Promise<T>) =>
    Promise.race([
      query.catch(() => null),
      new Promise<null>((resolve) => setTimeout(resolve, timeoutMs, null).unref()),
    ]);
  // Cancelled by the database, or slow counts would occupy one connection after the other.
  const limited = <T>(expression: string) =>
    within(
      sql.begin('read only', async (transaction) => {
        await transaction.unsafe(`set local statement_timeout = ${timeoutMs}`);
        const [row] = await transaction.unsafe<{ result: T }[]>(`select ${expression} as result`);
        return row?.result ?? null;
      }),
    );
  const [isUp, queues, orders, connections] = await Promise.all([
    within(sql`select 1`),
    limited<NonNullable<BusinessFigures['queues']>>('public.queue_metrics()'),
    limited<Record<string, number>>('public.count_orders()'),
    limited<{ by_state: Record<string, number>; most: number }>(`(
      select jsonb_build_object('by_state', jsonb_object_agg(s.state, s.n), 'most', current_setting('max_connections')::int)
      from (select coalesce(state, 'other') as state, count(*) as n from pg_stat_activity
            where datname = current_database() group by 1) s)`),
  ]);
  return [
    gauge('mithaas_database_up', 'Whether the database responded.', isUp ? 1 : 0),
    ...businessMetrics({ queues, orders }),
    ...(connections
      ? [
          labelled('mithaas_database_connections', 'Connections by state.', 'state', connections.by_state),
          gauge('mithaas_database_connections_max', 'How many connections the database takes.', connections.most),
        ]
      : []),
  ];
}

export function businessMetrics({ queues, orders }: BusinessFigures): Figure[] {
  return [
    ...(queues
      ? [
          labelled('mithaas_queue_depth', 'Jobs that are pending, by queue.', 'queue', queues.depth),
          labelled('mithaas_queue_overdue_seconds', 'How long the oldest job is overdue.', 'queue', queues.overdue),
          labelled('mithaas_queue_troubled', 'Jobs that failed three times or more.', 'queue', queues.troubled),
          gauge('mithaas_refunds_failed', 'Refunds that failed and are not paid back yet.', queues.failed_refunds),
        ]
      : []),
    labelled('mithaas_orders', 'Orders by status.', 'status', orders ?? {}),
  ];
}
