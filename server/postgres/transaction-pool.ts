import postgres, { type Options, type ReservedSql, type Sql } from 'postgres';
import { createTurns, type TurnOptions } from './semaphore.ts';
import { withTimeLimits } from './time-limits.ts';
import { type Query, watchQuery } from './watched-query.ts';

type AnyOptions = Options<Record<string, postgres.PostgresType>>;
type Work<T> = (transaction: Sql) => T | Promise<T>;

export type ExclusiveConnections = {
  /** A connection for one caller alone, until `release()`. */
  reserve(turn?: TurnOptions): Promise<ReservedSql>;
  begin<T>(work: Work<T>): Promise<T>;
  begin<T>(how: string, work: Work<T>): Promise<T>;
  end(): Promise<void>;
};

/**
 * Connections for transactions. postgres.js lets a transaction go on writing to a connection that is gone: that ends the
 * process, or runs its rest outside of it on the connection's next life. Here a connection has one life. When it ends,
 * whatever was asked on it fails, and so does whatever is asked after that.
 *
 * A place in the pool always comes back: a connection whose state is not known for certain (the driver failed, an answer
 * is missing, a transaction was left open, the caller held it for longer than `leaseMs`) is closed instead of reused.
 */
export function exclusiveConnections(options: AnyOptions, max: number, leaseMs?: number): ExclusiveConnections {
  const idle: Connection[] = [];
  const all = new Set<Connection>();
  const turns = createTurns(max);

  function forget(connection: Connection): void {
    all.delete(connection);
    if (idle.includes(connection)) idle.splice(idle.indexOf(connection), 1);
  }

  async function reserve(turn: TurnOptions = {}): Promise<ReservedSql> {
    const endTurn = await turns.take({ withinMs: leaseMs, ...turn });
    try {
      const connection = idle.pop() ?? openConnection(options, forget);
      all.add(connection);
      const giveBack = () => {
        if (all.has(connection)) idle.push(connection);
        endTurn();
      };
      return await connection.use(giveBack, leaseMs);
    } catch (error) {
      endTurn();
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
        await connection`rollback`.catch(() => {}); // a lost connection has taken it back already
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
  /** Calls `giveBack` once: when it is released, or lost. */
  use(giveBack: () => void, leaseMs: number | undefined): Promise<ReservedSql>;
  end(): Promise<void>;
};

function openConnection(options: AnyOptions, onLost: (connection: Connection) => void): Connection {
  let lost: Error | null = null;
  let reserved: Promise<ReservedSql> | null = null;
  let isInTransaction = false;
  let finishUse: (() => void) | null = null;
  const unanswered = new Set<Query>();
  const client = postgres({
    ...withTimeLimits(options as Options<Record<string, never>>),
    max: 1,
    max_lifetime: null,
    onclose: () => lose('the connection to the database was lost'),
  } as AnyOptions);

  function lose(why: string): void {
    if (lost) return;
    lost = Object.assign(new Error(why), { code: 'CONNECTION_CLOSED' });
    const failed = [...unanswered];
    unanswered.clear();
    for (const query of failed) fail(query, lost);
    onLost(connection);
    finishUse?.();
    void client.end({ timeout: 0 });
  }

  function watched(made: unknown): unknown {
    if (!(made instanceof Promise)) return made; // a list of values, say
    const query = made as unknown as Query;
    unanswered.add(query);
    watchQuery(query, {
      answered(command) {
        unanswered.delete(query);
        if (command === 'begin') isInTransaction = true;
        if (command === 'end') isInTransaction = false;
      },
      failed(isFromServer) {
        unanswered.delete(query);
        // The driver counts answers: a query that it could not send would take the answer of the next.
        if (!isFromServer && isWaiting()) lose('the driver failed in the middle of a query');
      },
    });
    if (lost) fail(query, lost);
    return made;
  }

  function isWaiting(): boolean {
    return [...unanswered].some(({ executed }) => executed);
  }

  function release(): void {
    if (isInTransaction || isWaiting()) lose('it was released in the middle of work');
    unanswered.clear(); // parts of other queries, which are never sent
    finishUse?.();
  }

  const connection: Connection = {
    async use(giveBack, leaseMs) {
      // Asked something first: a client that is told to reserve a connection it has yet to open may wait for good.
      reserved ??= client`select`.then(() => client.reserve());
      try {
        const overdue = leaseMs && setTimeout(() => lose('it was held for too long'), leaseMs).unref();
        finishUse = () => {
          finishUse = null;
          clearTimeout(overdue || undefined);
          giveBack();
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
      // Nobody ends a connection that is reserved; what is still running has five seconds.
      if (!finishUse && !lost) (await reserved)?.release();
      await client.end({ timeout: 5 });
    },
  };
  return connection;
}

/** postgres.js skips what is cancelled, also between being asked for and being sent. */
function fail(query: Query, reason: Error): void {
  query.cancelled = true;
  query.reject(reason);
}
