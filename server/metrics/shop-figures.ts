import type { Sql } from 'postgres';
import { gauge, labelled, type Metric } from './exposition.ts';

type Figures = {
  queues: Record<string, number>;
  overdue: Record<string, number>;
  orders: Record<string, number> | null;
  failed_refunds: number;
  connections: Record<string, number>;
  most_connections: number;
};

const KEPT_MS = 5_000;
const MOST_MS = 3_000;

/** What only the database knows. Asked at most every few seconds, however many ask. */
export function shopFigures(sql: Sql, now: () => number = Date.now) {
  let kept: { at: number; metrics: Promise<Metric[]> } | null = null;
  return (): Promise<Metric[]> => {
    if (!kept || now() - kept.at > KEPT_MS) kept = { at: now(), metrics: ask(sql) };
    return kept.metrics;
  };
}

/** Without a database there are no figures of it, but that is one. */
async function ask(sql: Sql): Promise<Metric[]> {
  const answer = await Promise.race([
    read(sql).catch(() => null),
    new Promise<null>((late) => setTimeout(late, MOST_MS, null).unref()),
  ]);
  const up = gauge('mithaas_database_up', 'Whether the database answered.', answer ? 1 : 0);
  return answer ? [up, ...metricsOf(answer)] : [up];
}

async function read(sql: Sql): Promise<Figures | undefined> {
  const [figures] = await sql<Figures[]>`
    with due as (
      select kind as queue, run_after as since from private.outbox where done_at is null
      union all select 'payment-check', next_check_at from private.checkouts where next_check_at is not null
      union all select 'refund-check', next_check_at from private.refunds where next_check_at is not null
    ), queues as (
      select q.queue, count(d.queue) as depth,
        greatest(0, coalesce(extract(epoch from now() - min(d.since)), 0)) as overdue
      from unnest(array['mail', 'refund', 'payment-check', 'refund-check']) as q (queue)
      left join due d on d.queue = q.queue group by q.queue
    )
    select
      (select jsonb_object_agg(queue, depth) from queues) as queues,
      (select jsonb_object_agg(queue, overdue) from queues) as overdue,
      (select jsonb_object_agg(status, n) from (select status, count(*) as n from public.orders group by status) s) as orders,
      (select count(*)::float8 from private.refunds r where r.status = 'failed'
        and not exists (select from private.refunds again where again.retry_of = r.id)) as failed_refunds,
      (select jsonb_object_agg(state, n) from (
        select coalesce(state, 'other') as state, count(*) as n from pg_stat_activity
        where datname = current_database() group by 1) s) as connections,
      current_setting('max_connections')::int as most_connections`;
  return figures;
}

function metricsOf({ queues, overdue, orders, failed_refunds, connections, most_connections }: Figures): Metric[] {
  return [
    labelled('gauge', 'mithaas_queue_depth', 'What waits to be done, by queue.', 'queue', queues),
    labelled('gauge', 'mithaas_queue_overdue_seconds', 'How long the oldest of it is due.', 'queue', overdue),
    labelled('gauge', 'mithaas_orders', 'Orders by status.', 'status', orders ?? {}),
    gauge('mithaas_refunds_failed', 'Refunds that failed and were not tried again.', failed_refunds),
    labelled('gauge', 'mithaas_database_connections', 'Connections to the database by state.', 'state', connections),
    gauge('mithaas_database_connections_max', 'How many connections the database takes.', most_connections),
  ];
}
