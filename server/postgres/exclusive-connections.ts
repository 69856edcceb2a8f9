import postgres, { type Options, type ReservedSql, type Sql } from 'postgres';

type AnyOptions = Options<Record<string, postgres.PostgresType>>;
type Work<T> = (transaction: Sql) => T | Promise<T>;
/** What postgres.js makes of `sql` with a text; it begins when somebody waits for it. */
type Query = { cancelled: unknown; reject(reason: Error): void };

export type ExclusiveConnections = {
  /** A connection for one caller alone, until `release()`. */
  reserve(): Promise<ReservedSql>;
  begin<T>(work: Work<T>): Promise<T>;
  begin<T>(how: string, work: Work<T>): Promise<T>;
  end(): Promise<void>;
};

/**
 * Connections for transactions. postgres.js lets a transaction go on writing to a connection that is gone: that ends the
 * process, or runs its rest outside of it on the connection's next life. Here a connection has one life. When it ends,
 * whatever was asked on it fails, and so does whatever is asked after that.
 */
export function exclusiveConnections(options: AnyOptions, max: number): ExclusiveConnections {
  const idle: Connection[] = [];
  const all = new Set<Connection>();
  const waiting: (() => void)[] = [];
  let taken = 0;

  async function turn(): Promise<void> {
    if (taken < max) taken += 1;
    else await new Promise<void>((served) => waiting.push(served));
  }

  /** Hands the turn on as it is, so that nobody overtakes those who wait. */
  function endTurn(): void {
    const next = waiting.shift();
    if (next) next();
    else taken -= 1;
  }

  function giveBack(connection: Connection): void {
    if (all.has(connection)) idle.push(connection);
    endTurn();
  }

  function forget(connection: Connection): void {
    all.delete(connection);
    if (idle.includes(connection)) idle.splice(idle.indexOf(connection), 1);
  }

  async function reserve(): Promise<ReservedSql> {
    await turn();
    try {
      const connection = idle.pop() ?? openConnection(options, forget);
      all.add(connection);
      return await connection.use(giveBack);
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
  use(giveBack: (connection: Connection) => void): Promise<ReservedSql>;
  end(): Promise<void>;
};

function openConnection(options: AnyOptions, onLost: (connection: Connection) => void): Connection {
  let lost: Error | null = null;
  let reserved: Promise<ReservedSql> | null = null;
  let asked: Query[] = [];
  let isUsed = false;
  const client = postgres({ ...options, max: 1, max_lifetime: null, onclose: lose } as AnyOptions);

  function lose(): void {
    if (lost) return;
    lost = Object.assign(new Error('the connection to the database was lost'), { code: 'CONNECTION_CLOSED' });
    for (const query of asked.splice(0)) fail(query, lost);
    onLost(connection);
    void client.end({ timeout: 0 });
  }

  function watched(made: unknown): unknown {
    if (!(made instanceof Promise)) return made; // a list of values, say
    const query = made as unknown as Query;
    if (lost) fail(query, lost);
    else asked.push(query);
    return made;
  }

  const connection: Connection = {
    async use(giveBack) {
      // Asked something first: a client that is told to reserve a connection it has yet to open may wait for good.
      reserved ??= client`select`.then(() => client.reserve());
      try {
        const sql = await reserved;
        isUsed = true;
        const release = () => {
          asked = [];
          isUsed = false;
          giveBack(connection);
        };
        return new Proxy(sql, {
          apply: (_sql, _self, parts) => watched((sql as CallableFunction)(...parts)),
          get: (_sql, name) => {
            if (name === 'release') return release;
            if (name === 'unsafe') return (...parts: Parameters<Sql['unsafe']>) => watched(sql.unsafe(...parts));
            return sql[name as keyof ReservedSql];
          },
        });
      } catch (error) {
        lose();
        throw error;
      }
    },
    async end() {
      // Nobody ends a connection that is reserved; what is still running has five seconds.
      if (!isUsed && !lost) (await reserved)?.release();
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
