// Driver: postgres.js has no time limit for a response, so a database that hangs would hold every caller.
// Tests: tests/start/frozen-database.test.ts.
import type { Options, Sql } from 'postgres';
import type { Pool } from './pool.ts';

/** Longer than any page of ours needs; a costly query must not take a connection for good. */
export const STATEMENT_TIMEOUT_MS = 5_000;
/**
 * How long a caller waits for the database: for a connection and for its answer. Longer than a statement may run, so that
 * it is only reached when the database itself does not answer; shorter than a request may take (server/host.ts).
 */
export const RESPONSE_TIMEOUT_MS = 7_000;
const IDLE_IN_TRANSACTION_TIMEOUT_MS = 10_000;
const CONNECT_TIMEOUT_SECONDS = 5;

/**
 * What every pool is opened with. Nothing of ours rests inside a transaction: one that does belongs to a caller who will
 * not come back, and the server ends it.
 */
export function withTimeLimits<T extends Options<Record<string, never>>>(options: T): T {
  return {
    connect_timeout: CONNECT_TIMEOUT_SECONDS,
    ...options,
    connection: { idle_in_transaction_session_timeout: IDLE_IN_TRANSACTION_TIMEOUT_MS, ...options.connection },
  };
}

/** Queries through the pool that are answered in time or fail; for values and fragments use the pool itself. */
export function poolWithTimeout(pool: Pool, ms = RESPONSE_TIMEOUT_MS): Sql {
  return new Proxy(pool as Sql, {
    apply: (_pool, _self, parts) => withTimeout(Reflect.apply(pool, undefined, parts), pool.replaceConnections, ms),
  });
}

/** The answer, or `CONNECTION_RESPONSE_TIMEOUT`, of which `onTimeout` is told. */
export async function withTimeout<T>(answer: Promise<T>, onTimeout: () => void, ms = RESPONSE_TIMEOUT_MS): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const timeout = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => {
      reject(Object.assign(new Error('the database did not answer in time'), { code: 'CONNECTION_RESPONSE_TIMEOUT' }));
      onTimeout();
    }, ms);
  });
  try {
    return await Promise.race([answer, timeout]);
  } finally {
    clearTimeout(timer);
  }
}
