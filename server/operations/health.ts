import { onBehalfOfMany } from '../host/request-scope.ts';

/** Health of the backend, for /healthz. */
export type Health =
  | { status: 'ok' }
  | { status: 'database-away' }
  /** Pools that do not respond; others do. */
  | { status: 'pool-stuck'; pools: string[] }
  /** The database's disk is full: pages are served, nothing can be saved. */
  | { status: 'read-only' };

export type PoolHealthOptions = {
  /** The pools that customers depend on, by name. */
  pools: Record<string, () => Promise<unknown>>;
  isReadOnly(): boolean;
  withinMs?: number;
  /** How long a result is cached, so that frequent polling costs nothing. */
  freshMs?: number;
};

/** Checks every pool: one that is stuck stops its customers even if the others respond. */
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

/** One check for concurrent callers, cached for `freshMs`; a caller that disconnects does not abort it. */
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
