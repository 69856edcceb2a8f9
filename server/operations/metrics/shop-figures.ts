import type { Sql } from 'postgres';
import { z } from 'zod';
import { countOrders, queueFigures } from '../../../supabase/contracts/jobs.ts';
import { gauge, labelled, type Metric } from './exposition.ts';

/** What SQL functions of the same names answer; null: not in time. */
export const BusinessFigures = z.object({
  queues: queueFigures.result.nullable(),
  orders: countOrders.result.nullable(),
});
type BusinessFigures = z.infer<typeof BusinessFigures>;

const KEPT_MS = 5_000;
const MOST_MS = 3_000;

/** Asked at most every few seconds, however many ask. */
export function askedNowAndThen(ask: () => Promise<Metric[]>): () => Promise<Metric[]> {
  let kept: { at: number; metrics: Promise<Metric[]> } | null = null;
  return () => {
    // By a clock that nobody sets back.
    if (!kept || performance.now() - kept.at > KEPT_MS) kept = { at: performance.now(), metrics: ask() };
    return kept.metrics;
  };
}

/** What only the database knows. Each by itself: a count that takes too long does not hide the others, nor say that the database is away. */
export async function shopFigures(sql: Sql, mostMs = MOST_MS): Promise<Metric[]> {
  const within = <T>(question: Promise<T>) =>
    Promise.race([question.catch(() => null), new Promise<null>((late) => setTimeout(late, mostMs, null).unref())]);
  // Ended by the database itself, or those that take too long would take one connection after the other.
  const limited = <T>(question: string) =>
    within(
      sql.begin('read only', async (transaction) => {
        await transaction.unsafe(`set local statement_timeout = ${mostMs}`);
        const [row] = await transaction.unsafe<{ answer: T }[]>(`select ${question} as answer`);
        return row?.answer ?? null;
      }),
    );
  const [answer, queues, orders, connections] = await Promise.all([
    within(sql`select 1`),
    limited<NonNullable<BusinessFigures['queues']>>('public.queue_metrics()'),
    limited<Record<string, number>>('public.count_orders()'),
    limited<{ by_state: Record<string, number>; most: number }>(`(
      select jsonb_build_object('by_state', jsonb_object_agg(s.state, s.n), 'most', current_setting('max_connections')::int)
      from (select coalesce(state, 'other') as state, count(*) as n from pg_stat_activity
            where datname = current_database() group by 1) s)`),
  ]);
  return [
    gauge('mithaas_database_up', 'Whether the database answered.', answer ? 1 : 0),
    ...businessMetrics({ queues, orders }),
    ...(connections
      ? [
          labelled('gauge', 'mithaas_database_connections', 'Connections by state.', 'state', connections.by_state),
          gauge('mithaas_database_connections_max', 'How many connections the database takes.', connections.most),
        ]
      : []),
  ];
}

export function businessMetrics({ queues, orders }: BusinessFigures): Metric[] {
  return [
    ...(queues
      ? [
          labelled('gauge', 'mithaas_queue_depth', 'What waits to be done, by queue.', 'queue', queues.depth),
          labelled('gauge', 'mithaas_queue_overdue_seconds', 'How long the oldest is due.', 'queue', queues.overdue),
          labelled(
            'gauge',
            'mithaas_queue_troubled',
            'What was tried three times and more and is not done.',
            'queue',
            queues.troubled,
          ),
          gauge('mithaas_refunds_failed', 'Refunds that failed and are not back.', queues.failed_refunds),
        ]
      : []),
    labelled('gauge', 'mithaas_orders', 'Orders by status.', 'status', orders ?? {}),
  ];
}
