import { readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import type postgres from 'postgres';
import type { Log } from '../host/log.ts';
import { startListener } from './listener.ts';

export type Column = { name: string; type: string };

/** A table of publication supabase_realtime: the columns that may be sent, and its primary key. */
export type PublishedTable = { schema: string; name: string; columns: Column[]; key: Column[] };

export type Change = {
  schema: string;
  table: string;
  type: 'INSERT' | 'UPDATE';
  at: string;
  /** Primary keys as text. */
  keys: string[][];
};

const channel = 'realtime_feed';
const feedSql = readFileSync(new URL('./change-feed.sql', import.meta.url), 'utf8');

export async function installChangeFeed(sql: postgres.Sql): Promise<void> {
  await sql.begin(async (transaction) => {
    // Fail the start instead of waiting behind a long transaction: all writers would wait behind us.
    await transaction`set local lock_timeout = '10s'`;
    await transaction.unsafe(feedSql);
  });
}

/** Skips tables with a row filter, which is not supported, and without a primary key, whose rows cannot be read again. */
export async function readPublishedTables(sql: postgres.Sql): Promise<PublishedTable[]> {
  return await sql<PublishedTable[]>`
    select p.schemaname as schema, p.tablename as name,
           (select jsonb_agg(jsonb_build_object('name', a.attname, 'type', format_type(a.atttypid, null)) order by a.attnum)
            from pg_attribute a where a.attrelid = c.oid and a.attname = any (p.attnames)) as columns,
           (select jsonb_agg(jsonb_build_object('name', a.attname, 'type', format_type(a.atttypid, null)) order by k.n)
            from unnest(i.indkey) with ordinality as k (attnum, n), pg_attribute a
            where a.attrelid = c.oid and a.attnum = k.attnum) as key
    from pg_publication_tables p
    join pg_namespace n on n.nspname = p.schemaname
    join pg_class c on c.relnamespace = n.oid and c.relname = p.tablename
    join pg_index i on i.indrelid = c.oid and i.indisprimary
    where p.pubname = 'supabase_realtime' and p.rowfilter is null`;
}

/** Polls this often when there is no notification. */
const pollIntervalMs = 250;
/** Shortest pause between polls, so that changes are batched under load. */
const pauseMs = 10;
const cleanUpIntervalMs = 10_000;

// Rows visible now and not in the last poll's snapshot: exact in any order of commits, for any number of servers.
const newChanges = `
  select pg_current_snapshot()::text as snapshot, coalesce((
    select json_agg(json_build_object('schema', c.table_schema, 'table', c.table_name, 'type', c.operation,
                                      'at', c.at, 'keys', c.keys) order by c.id)
    from realtime_feed.changes c
    where c.transaction >= pg_snapshot_xmin($1::text::pg_snapshot)
      and not pg_visible_in_snapshot(c.transaction, $1::text::pg_snapshot)), '[]') as changes`;
const deleteSeenChanges = `
  delete from realtime_feed.changes
  where at < now() - interval '1 minute' and transaction < pg_snapshot_xmin($1::text::pg_snapshot)`;

export type ChangeFeed = {
  /** Resolves when all changes committed before the call have been passed to `onChange`. */
  caughtUp(): Promise<void>;
  stop(): Promise<void>;
};

/** `onListening` is called at the start and after every lost connection: a crash may have emptied the queue. */
export async function followChanges(
  sql: postgres.Sql,
  parts: { open(): postgres.Sql; onChange(change: Change): void; onListening(): void; log: Log },
): Promise<ChangeFeed> {
  const { open, onChange, onListening, log } = parts;
  const [start] = await sql<{ snapshot: string }[]>`select pg_current_snapshot()::text as snapshot`;
  let seen = start?.snapshot ?? '';
  let running: Promise<void> | null = null;
  let isWanted = false;
  let isFailing = false;
  let stopped = false;
  const waiting: (() => void)[] = [];
  let cleanedUpAt = performance.now();

  async function poll(): Promise<void> {
    const [found] = await sql.unsafe<{ snapshot: string; changes: Change[] }[]>(newChanges, [seen], { prepare: true });
    if (!found) return;
    seen = found.snapshot;
    for (const change of found.changes) onChange(change);
    if (performance.now() - cleanedUpAt > cleanUpIntervalMs) {
      cleanedUpAt = performance.now();
      await sql.unsafe(deleteSeenChanges, [seen], { prepare: true });
    }
  }

  async function run(): Promise<void> {
    while (isWanted && !stopped) {
      isWanted = false;
      const callers = waiting.splice(0);
      try {
        await poll();
        isFailing = false;
      } catch (error) {
        // The next poll retries; logged once.
        if (!isFailing && !stopped) log({ level: 'error', event: 'realtime.feed_failed', code: codeOf(error) });
        isFailing = true;
      }
      for (const resolve of callers) resolve();
      await sleep(pauseMs);
    }
    running = null;
  }

  const wake = () => {
    isWanted = true;
    running ??= run();
  };
  const ping = () => sql`select pg_notify(${channel}, '')`;
  const listener = await startListener({ channel, open, ping, onNotify: wake, onListening, log });
  const timer = setInterval(wake, pollIntervalMs);
  timer.unref();
  return {
    caughtUp() {
      if (stopped) return Promise.resolve();
      return new Promise((resolve) => {
        waiting.push(resolve);
        wake();
      });
    },
    async stop() {
      stopped = true;
      clearInterval(timer);
      await listener.close();
      await running;
      for (const resolve of waiting) resolve();
    },
  };
}

/** Only the code: error messages of the database may quote personal data. */
export function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : 'unknown';
}
