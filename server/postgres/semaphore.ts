/** Why a caller got no turn; `isDatabaseAway` knows both codes. */
export class NoTurn extends Error {
  readonly code: 'CONNECTION_WAIT_TIMEOUT' | 'CONNECTION_NOT_WANTED';
  constructor(code: NoTurn['code']) {
    super(
      code === 'CONNECTION_NOT_WANTED'
        ? 'the caller has left before a connection was free'
        : 'no connection to the database became free in time',
    );
    this.code = code;
  }
}

export type TurnOptions = {
  signal?: AbortSignal | undefined;
  /** How long to wait at most. */
  withinMs?: number | undefined;
  /** Before all others who wait: for the health check, which must not wait for a queue. */
  first?: boolean;
};

export type Turns = {
  /** Resolves to the function that ends the turn. */
  take(options?: TurnOptions): Promise<() => void>;
  waiting(): number;
};

/** At most `max` at work at once. The others wait in order; those who leave, or have waited too long, are dropped. */
export function createTurns(max: number): Turns {
  const queue = new Set<() => void>();
  const urgent = new Set<() => void>();
  let taken = 0;

  /** Hands the turn on as it is, so that nobody overtakes those who wait. */
  function end(): void {
    const line = urgent.size > 0 ? urgent : queue;
    const [next] = line;
    if (next) next();
    else taken -= 1;
  }

  function endOnce(): () => void {
    let isEnded = false;
    return () => {
      if (!isEnded) end();
      isEnded = true;
    };
  }

  async function take({ signal, withinMs, first }: TurnOptions = {}): Promise<() => void> {
    if (signal?.aborted) throw new NoTurn('CONNECTION_NOT_WANTED');
    if (taken < max) {
      taken += 1;
      return endOnce();
    }
    const line = first ? urgent : queue;
    await new Promise<void>((resolve, reject) => {
      const settle = (how: () => void) => {
        // At once, or a turn could be handed to a caller who has just left.
        line.delete(served);
        clearTimeout(timer);
        signal?.removeEventListener('abort', leave);
        how();
      };
      const served = () => settle(resolve);
      const leave = () => settle(() => reject(new NoTurn('CONNECTION_NOT_WANTED')));
      const giveUp = () => settle(() => reject(new NoTurn('CONNECTION_WAIT_TIMEOUT')));
      const timer = withinMs === undefined ? undefined : setTimeout(giveUp, withinMs).unref();
      signal?.addEventListener('abort', leave, { once: true });
      line.add(served);
    });
    return endOnce();
  }

  return { take, waiting: () => queue.size + urgent.size };
}
