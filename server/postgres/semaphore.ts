/** Why a caller got no connection; `isDatabaseAway` knows both codes. */
export class ConnectionWaitError extends Error {
  readonly code: 'CONNECTION_WAIT_TIMEOUT' | 'CONNECTION_WAIT_ABORTED';
  constructor(code: ConnectionWaitError['code']) {
    super(
      code === 'CONNECTION_WAIT_ABORTED'
        ? 'the caller has left before a connection was free'
        : 'no connection to the database became free in time',
    );
    this.code = code;
  }
}

export type AcquireOptions = {
  signal?: AbortSignal | undefined;
  /** How long to wait at most. */
  withinMs?: number | undefined;
  /** Before all other waiters: for the health check, which must not wait for a queue. */
  first?: boolean;
};

export type Semaphore = {
  /** Resolves to the function that releases the permit. */
  acquire(options?: AcquireOptions): Promise<() => void>;
  waiting(): number;
};

/** At most `max` permits at once. Waiters are served in order; one that is aborted or times out leaves the queue. */
export function createSemaphore(max: number): Semaphore {
  const queue = new Set<() => void>();
  const urgent = new Set<() => void>();
  let taken = 0;

  /** Passes the permit on directly, so that no new caller overtakes the waiters. */
  function release(): void {
    const line = urgent.size > 0 ? urgent : queue;
    const [next] = line;
    if (next) next();
    else taken -= 1;
  }

  function releaseOnce(): () => void {
    let isReleased = false;
    return () => {
      if (!isReleased) release();
      isReleased = true;
    };
  }

  async function acquire({ signal, withinMs, first }: AcquireOptions = {}): Promise<() => void> {
    if (signal?.aborted) throw new ConnectionWaitError('CONNECTION_WAIT_ABORTED');
    if (taken < max) {
      taken += 1;
      return releaseOnce();
    }
    const line = first ? urgent : queue;
    await new Promise<void>((resolve, reject) => {
      const settle = (how: () => void) => {
        // Synchronously, or the permit could be passed to a caller that has just left.
        line.delete(served);
        clearTimeout(timer);
        signal?.removeEventListener('abort', onAbort);
        how();
      };
      const served = () => settle(resolve);
      const onAbort = () => settle(() => reject(new ConnectionWaitError('CONNECTION_WAIT_ABORTED')));
      const onTimeout = () => settle(() => reject(new ConnectionWaitError('CONNECTION_WAIT_TIMEOUT')));
      const timer = withinMs === undefined ? undefined : setTimeout(onTimeout, withinMs).unref();
      signal?.addEventListener('abort', onAbort, { once: true });
      line.add(served);
    });
    return releaseOnce();
  }

  return { acquire, waiting: () => queue.size + urgent.size };
}
