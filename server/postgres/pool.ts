import postgres, { type Options, type Sql } from 'postgres';
import { withTimeLimits } from './time-limits.ts';
import { exclusiveConnections } from './transaction-pool.ts';

const lastQueriesSeconds = 2;
const questionsBetweenEmptyings = 5_000;

export type LastingPool = Sql & {
  /** Takes no more of its present connections: they do not answer. What is still asked of them fails in a moment. */
  replaceConnections(): void;
};

/**
 * A pool that outlives restarts of its database. postgres.js mends a lost connection in place, but what it had not sent
 * yet stays behind, and then that connection never gets through its greeting again: every question it is given waits
 * half a minute and fails. So a pool that has lost a connection takes no new questions; another takes its place at once.
 * `leaseMs`: how long a transaction may take.
 */
export function lastingPool(options: Options<Record<string, never>>, leaseMs?: number): LastingPool {
  const anyOptions = withTimeLimits(options) as Options<Record<string, postgres.PostgresType>>;
  const most = options.max ?? 4;
  const alone = exclusiveConnections(anyOptions, most, leaseMs);
  let isEnded = false;
  let questions = 0;
  let pool = open();

  function open(): Sql {
    // Without a longest life, a connection that ends is one that was lost.
    const opened: Sql = postgres({ ...anyOptions, max: most, max_lifetime: null, onclose: () => replace(opened) });
    return opened;
  }

  function replace(losing: Sql): void {
    if (isEnded || pool !== losing) return;
    pool = open();
    void losing.end({ timeout: lastQueriesSeconds });
  }

  /**
   * postgres.js lists its idle connections, and begins the list anew only when it has taken the last of them. Until then
   * every question makes it longer and searches it from end to end. So now and then all are taken at once.
   */
  function asked(): Sql {
    questions += 1;
    if (questions % questionsBetweenEmptyings === 0)
      for (let connection = 0; connection < most; connection += 1) pool`select`.catch(() => {});
    return pool;
  }

  async function end(how?: { timeout?: number }): Promise<void> {
    isEnded = true;
    await Promise.all([pool.end(how), alone.end()]);
  }

  const own: Record<PropertyKey, unknown> = {
    end,
    begin: alone.begin,
    reserve: alone.reserve,
    replaceConnections: () => replace(pool),
  };
  return new Proxy(pool, {
    apply: (_first, _self, parts) => (asked() as unknown as CallableFunction)(...parts),
    get: (_first, name) => own[name] ?? asked()[name as keyof Sql],
  }) as LastingPool;
}
