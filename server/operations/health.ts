import { onBehalfOfMany } from '../host/request-scope.ts';

/** What /healthz says of the backend. */
export type Health =
  | { status: 'ok' }
  | { status: 'database-away' }
  /** These pools do not answer, others do. */
  | { status: 'pool-stuck'; pools: string[] }
  /** Pages are served, nothing can be saved: the disk of the database is full. */
  | { status: 'read-only' };

export type PoolHealthOptions = {
  /** Each pool that customers depend on, by what it serves. */
  pools: Record<string, () => Promise<unknown>>;
  isReadOnly(): boolean;
  withinMs?: number;
  /** How long a result is cached: anybody may poll as often as they like. */
  freshMs?: number;
};

/** Asks through every pool: one that is stuck stops its customers, however well the others answer. */
export function poolHealth(options: PoolHealthOptions): () => Promise<Health> {
  const { pools, isReadOnly, withinMs = 2_000, freshMs = 250 } = options;
  async function check(): Promise<Health> {
    const names = Object.keys(pools);
    const responses = await Promise.all(Object.values(pools).map((ping) => doesRespond(ping, withinMs)));
    const stuck = names.filter((_, index) => !responses[index]);
    if (stuck.length === names.length) return { status: 'database-away' };
    if (stuck.length > 0) return { status: 'pool-stuck', pools: stuck };
    return { status: isReadOnly() ? 'read-only' : 'ok' };
  }

  return sharedHealth(check, freshMs);
}

/** One check for all callers at once, whose result is good for `freshMs`; none of them ends it by leaving. */
export function sharedHealth(check: () => Promise<Health>, freshMs: number): () => Promise<Health> {
  let last: { at: number; result: Promise<Health> } | null = null;
  return () => {
    if (!last || performance.now() - last.at >= freshMs) {
      const result = onBehalfOfMany(check);
      last = { at: Number.POSITIVE_INFINITY, result };
      const started = last;
      void result.then(() => {
        started.at = performance.now();
      });
    }
    return last.result;
  };
}

async function doesRespond(ping: () => Promise<unknown>, withinMs: number): Promise<boolean> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<boolean>((resolve) => {
    timer = setTimeout(resolve, withinMs, false);
  });
  try {
    return await Promise.race([
      ping().then(
        () => true,
        () => false,
      ),
      late,
    ]);
  } finally {
    clearTimeout(timer);
  }
}
