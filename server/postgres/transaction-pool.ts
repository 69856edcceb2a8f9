// Driver: postgres.js reopens a lost connection under a running transaction, whose rest then ends the process or runs
// outside of it; and a query that it could not send (more than 65,534 parameters) takes the result of the next.
// Tests: supabase/tests/lost-connections.test.ts, supabase/tests/held-connections.test.ts.
import postgres, { type Options, type ReservedSql, type Sql } from 'postgres';
import { type AcquireOptions, createSemaphore } from './semaphore.ts';
import { withTimeLimits } from './time-limits.ts';

type AnyOptions = Options<Record<string, postgres.PostgresType>>;
type Work<T> = (transaction: Sql) => T | Promise<T>;

export type TransactionPool = {
  /** A connection for one caller alone, until `release()`. */
  reserve(options?: AcquireOptions): Promise<ReservedSql>;
  begin<T>(work: Work<T>): Promise<T>;
  begin<T>(how: string, work: Work<T>): Promise<T>;
  end(): Promise<void>;
};

/**
 * A pool whose connections are never reopened: when one ends, its pending and later queries fail. A connection whose state
 * is unknown (the driver failed, a result is missing, a transaction is open, `leaseMs` is over) is closed, not reused.
 */
export function createTransactionPool(options: AnyOptions, max: number, leaseMs?: number): TransactionPool {
  const idle: Connection[] = [];
  const all = new Set<Connection>();
  const permits = createSemaphore(max);

  function remove(connection: Connection): void {
    all.delete(connection);
    if (idle.includes(connection)) idle.splice(idle.indexOf(connection), 1);
  }

  async function reserve(how: AcquireOptions = {}): Promise<ReservedSql> {
    const release = await permits.acquire({ withinMs: leaseMs, ...how });
    try {
      const connection = idle.pop() ?? openConnection(options, remove);
      all.add(connection);
      const onReleased = () => {
        if (all.has(connection)) idle.push(connection);
        release();
      };
      return await connection.lease(onReleased, leaseMs);
    } catch (error) {
      release();
      throw error;
    }
  }

  async function begin<T>(first: string | Work<T>, second?: Work<T>): Promise<T> {
    const [how, work] = typeof first === 'string' ? [first, second as Work<T>] : ['', first];
    const connection = await reserve();
    try {
      await connection.unsafe(`begin ${how}`);
      try {
        const result = await work(connection);
        await connection`commit`;
        return result;
      } catch (error) {
        await connection`rollback`.catch(() => {}); // a lost connection has rolled back already
        throw error;
      }
    } finally {
      connection.release();
    }
  }

  return {
    reserve,
    begin,
    async end() {
      await Promise.all([...all].map((connection) => connection.end()));
    },
  };
}

type Connection = {
  /** Calls `onReleased` once: when it is released, or lost. */
  lease(onReleased: () => void, leaseMs: number | undefined): Promise<ReservedSql>;
  end(): Promise<void>;
};

function openConnection(options: AnyOptions, onLost: (connection: Connection) => void): Connection {
  let lost: Error | null = null;
  let reserved: Promise<ReservedSql> | null = null;
  let isInTransaction = false;
  let endLease: (() => void) | null = null;
  const pending = new Set<Query>();
  const client = postgres({
    ...withTimeLimits(options as Options<Record<string, never>>),
    max: 1,
    max_lifetime: null,
    onclose: () => lose('the connection to the database was lost'),
  } as AnyOptions);

  function lose(why: string): void {
    if (lost) return;
    lost = Object.assign(new Error(why), { code: 'CONNECTION_CLOSED' });
    const failed = [...pending];
    pending.clear();
    for (const query of failed) cancel(query, lost);
    onLost(connection);
    endLease?.();
    void client.end({ timeout: 0 });
  }

  function watched(made: unknown): unknown {
    if (!isQuery(made)) return made; // a list of values, say
    const query = made;
    pending.add(query);
    onSettled(query, {
      resolved(command) {
        pending.delete(query);
        if (command === 'begin') isInTransaction = true;
        if (command === 'end') isInTransaction = false;
      },
      rejected(isFromServer) {
        pending.delete(query);
        // The driver counts results: a query that it could not send would take the result of the next.
        if (!isFromServer && isWaiting()) lose('the driver failed in the middle of a query');
      },
    });
    if (lost) cancel(query, lost);
    return made;
  }

  function isWaiting(): boolean {
    return [...pending].some(({ executed }) => executed);
  }

  function release(): void {
    if (isInTransaction || isWaiting()) lose('it was released in the middle of work');
    pending.clear(); // fragments of other queries, which are never sent
    endLease?.();
  }

  const connection: Connection = {
    async lease(onReleased, leaseMs) {
      // Connected first: reserve() on a client that has yet to connect may never resolve.
      reserved ??= client`select`.then(() => client.reserve());
      try {
        const overdue = leaseMs && setTimeout(() => lose('it was held for too long'), leaseMs).unref();
        endLease = () => {
          endLease = null;
          clearTimeout(overdue || undefined);
          onReleased();
        };
        const sql = await reserved;
        if (lost) throw lost;
        let isReleased = false;
        // The connection may be another caller's by the time it is released again.
        const releaseOnce = () => {
          if (!isReleased) release();
          isReleased = true;
        };
        return new Proxy(sql, {
          apply: (_sql, _self, parts) => watched((sql as CallableFunction)(...parts)),
          get: (_sql, name) => {
            if (name === 'release') return releaseOnce;
            if (name === 'unsafe') return (...parts: Parameters<Sql['unsafe']>) => watched(sql.unsafe(...parts));
            return sql[name as keyof ReservedSql];
          },
        });
      } catch (error) {
        lose('the database could not be reached');
        throw error;
      }
    },
    async end() {
      // A reserved connection would never be released otherwise; a running query has five seconds.
      if (!endLease && !lost) (await reserved)?.release();
      await client.end({ timeout: 5 });
    },
  };
  return connection;
}

/** What postgres.js makes of `sql` with a text; it is sent when it is awaited. */
type Query = {
  executed: boolean;
  /** The connection that it was sent on; null before that. */
  state: unknown;
  cancelled: unknown;
  strings: readonly string[];
  resolve(result: unknown): void;
  reject(reason: unknown): void;
};

type QueryListener = {
  /** `command`: whether it began or ended a transaction. */
  resolved(command: 'begin' | 'end' | null): void;
  /** By the server, or by the driver itself. */
  rejected(isFromServer: boolean): void;
};

function isQuery(made: unknown): made is Query {
  return made instanceof Promise;
}

/**
 * Calls back when a query is settled. Awaiting it would send it, and fragments (`sql` inside `sql`) must never be sent; so
 * this wraps the two functions that postgres.js settles a query with.
 */
function onSettled(query: Query, listener: QueryListener): void {
  const { resolve, reject } = query;
  query.resolve = (result) => {
    listener.resolved(commandOf(query.strings[0] ?? ''));
    resolve(result);
  };
  query.reject = (reason) => {
    reject(reason); // first, so that the caller learns of the cause before its consequences
    listener.rejected(reason instanceof postgres.PostgresError);
  };
}

/**
 * postgres.js skips cancelled queries that were created but not sent. One that was sent is not marked: the driver would ask the
 * server to cancel it as soon as the query before it is finished, and fail, because only it knows whom to tell of that.
 */
function cancel(query: Query, reason: Error): void {
  if (!query.state) query.cancelled = true;
  query.reject(reason);
}

function commandOf(text: string): 'begin' | 'end' | null {
  if (/^\s*(begin|start\s+transaction)\b/i.test(text)) return 'begin';
  return /^\s*(commit|end|rollback(?!\s+to\b))\b/i.test(text) ? 'end' : null;
}
