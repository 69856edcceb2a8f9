import type { Sql } from 'postgres';
import { gauge, labelled, type Metric } from './exposition.ts';

type Figures = {
  queues: Record<string, number>;
  overdue: Record<string, number>;
  failed_refunds: number;
  connections: Record<string, number>;
  most_connections: number;
};

const KEPT_MS = 5_000;
const MOST_MS = 3_000;

/** What only the database knows. Asked at most every few seconds, however many ask. */
export function shopFigures(sql: Sql, { now = Date.now, mostMs = MOST_MS } = {}) {
  let kept: { at: number; metrics: Promise<Metric[]> } | null = null;
  return (): Promise<Metric[]> => {
    if (!kept || now() - kept.at > KEPT_MS) kept = { at: now(), metrics: ask(sql, mostMs) };
    return kept.metrics;
  };
}

/** Each by itself: a count that takes too long does not hide the others, nor say that the database is away. */
async function ask(sql: Sql, mostMs: number): Promise<Metric[]> {
  const within = <T>(question: Promise<T>) =>
    Promise.race([question.catch(() => null), new Promise<null>((late) => setTimeout(late, mostMs, null).unref())]);
  // Ended by the database itself, or those that take too long would take one connection after the other.
  const limited = <T>(read: (transaction: Sql) => Promise<T>) =>
    within(
      sql.begin('read only', async (transaction) => {
        await transaction.unsafe(`set local statement_timeout = ${mostMs}`);
        return read(transaction as unknown as Sql);
      }) as Promise<T>,
    );
  const [answer, figures, orders] = await Promise.all([within(sql`select 1`), limited(read), limited(countOrders)]);
  return [
    gauge('mithaas_database_up', 'Whether the database answered.', answer ? 1 : 0),
    ...(figures ? metricsOf(figures) : []),
    labelled('gauge', 'mithaas_orders', 'Orders by status.', 'status', orders ?? {}),
  ];
}

async function countOrders(sql: Sql): Promise<Record<string, number>> {
  const rows = await sql<{ status: string; n: number }[]>`
    select status, count(*)::float8 as n from public.orders group by status`;
  return Object.fromEntries(rows.map(({ status, n }) => [status, n]));
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
      (select count(*)::float8 from private.refunds r where r.status = 'failed'
        and not exists (select from private.refunds again where again.retry_of = r.id)) as failed_refunds,
      (select jsonb_object_agg(state, n) from (
        select coalesce(state, 'other') as state, count(*) as n from pg_stat_activity
        where datname = current_database() group by 1) s) as connections,
      current_setting('max_connections')::int as most_connections`;
  return figures;
}

function metricsOf({ queues, overdue, failed_refunds, connections, most_connections }: Figures): Metric[] {
  return [
    labelled('gauge', 'mithaas_queue_depth', 'What waits to be done, by queue.', 'queue', queues),
    labelled('gauge', 'mithaas_queue_overdue_seconds', 'How long the oldest of it is due.', 'queue', overdue),
    gauge('mithaas_refunds_failed', 'Refunds that failed and were not tried again.', failed_refunds),
    labelled('gauge', 'mithaas_database_connections', 'Connections to the database by state.', 'state', connections),
    gauge('mithaas_database_connections_max', 'How many connections the database takes.', most_connections),
  ];
}
