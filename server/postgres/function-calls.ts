// Driver: postgres.js queues calls inside, out of reach, where those of clients that have left would run all the same.
// Tests: supabase/tests/held-connections.test.ts, tests/start/frozen-database.test.ts.
import { beginWork, waitingSignal } from '../host/request-scope.ts';
import type { Pool } from './pool.ts';
import { quoted } from './quoted.ts';
import { createSemaphore } from './semaphore.ts';
import { RESPONSE_TIMEOUT_MS, withTimeout } from './time-limits.ts';

export type FunctionCalls = {
  /** Calls a SQL function of schema public by its named arguments. */
  call(name: string, args: Record<string, unknown>): Promise<unknown>;
  /** Whether the pool responds at all: before all other waiters. */
  ping(): Promise<unknown>;
};

/** Calls SQL functions, as many at once as the pool has connections. A pool that does not respond in time is replaced. */
export function functionCalls(pool: Pool, connections: number): FunctionCalls {
  const permits = createSemaphore(connections);

  async function limited<T>(query: () => Promise<T>, first: boolean): Promise<T> {
    const began = performance.now();
    const release = await permits.acquire({ signal: waitingSignal(), withinMs: RESPONSE_TIMEOUT_MS, first });
    beginWork();
    try {
      const leftMs = Math.max(1, RESPONSE_TIMEOUT_MS - (performance.now() - began));
      return await withTimeout(query(), pool.replaceConnections, leftMs);
    } finally {
      release();
    }
  }

  return {
    call: (name, args) => limited(() => callFunction(pool, name, args), false),
    ping: () => limited(async () => await pool`select 1`, true),
  };
}

/** The driver's `unsafe`. It serialises a value of any type by the parameter's type in SQL; its own types list a few. */
type AnyValues = {
  unsafe(query: string, values?: unknown[], how?: { prepare?: boolean }): PromiseLike<{ result?: unknown }[]>;
};

/** Calls a SQL function that returns one value by its named arguments, as the Data API would. */
export async function callFunction(sql: AnyValues, name: string, args: Record<string, unknown>): Promise<unknown> {
  const list = Object.keys(args).map((key, index) => `${quoted(key)} => $${index + 1}`);
  const rows = await sql.unsafe(
    `select to_jsonb(result) as result from public.${quoted(name)}(${list.join(', ')}) as result`,
    Object.values(args),
    { prepare: true },
  );
  return rows[0]?.result;
}
