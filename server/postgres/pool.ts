// Driver: two defects of postgres.js 3.4 in pools that live for weeks.
// 1. A lost connection is reopened in place, but what it had not sent yet stays behind: it never finishes its startup
//    again, and every query it is given fails after half a minute.
// 2. Its list of idle connections is emptied only when the last one is taken; until then every query makes it longer and
//    searches it from end to end.
// Tests: supabase/tests/lost-connections.test.ts.
import postgres, { type Options, type Sql } from 'postgres';
import { withTimeLimits } from './time-limits.ts';
import { createTransactionPool } from './transaction-pool.ts';

const LAST_QUERIES_SECONDS = 2;
const QUERIES_BETWEEN_EMPTYINGS = 5_000;

export type Pool = Sql & {
  /** Abandons the present connections, which do not respond: what was sent on them fails in a moment. */
  replaceConnections(): void;
};

/**
 * A pool that survives restarts of its database: once a connection is lost, a new pool takes its place for all further
 * queries. Transactions have a pool of their own. `leaseMs`: how long a transaction may take.
 */
export function createPool(options: Options<Record<string, never>>, leaseMs?: number): Pool {
  const anyOptions = withTimeLimits(options) as Options<Record<string, postgres.PostgresType>>;
  const max = options.max ?? 4;
  const transactions = createTransactionPool(anyOptions, max, leaseMs);
  let isEnded = false;
  let queries = 0;
  let current = open();

  function open(): Sql {
    // Without a maximum lifetime, a connection that ends is one that was lost.
    const opened: Sql = postgres({ ...anyOptions, max, max_lifetime: null, onclose: () => replace(opened) });
    return opened;
  }

  function replace(broken: Sql): void {
    if (isEnded || current !== broken) return;
    current = open();
    void broken.end({ timeout: LAST_QUERIES_SECONDS });
  }

  /** Takes all connections at once now and then, which empties the driver's list of idle ones. */
  function next(): Sql {
    queries += 1;
    if (queries % QUERIES_BETWEEN_EMPTYINGS === 0)
      for (let connection = 0; connection < max; connection += 1) current`select`.catch(() => {});
    return current;
  }

  async function end(how?: { timeout?: number }): Promise<void> {
    isEnded = true;
    await Promise.all([current.end(how), transactions.end()]);
  }

  const own: Record<PropertyKey, unknown> = {
    end,
    begin: transactions.begin,
    reserve: transactions.reserve,
    replaceConnections: () => replace(current),
  };
  return new Proxy(current, {
    apply: (_first, _self, parts) => Reflect.apply(next(), undefined, parts),
    get: (_first, name) => own[name] ?? next()[name as keyof Sql],
  }) as Pool;
}
