export type FairLimits = {
  /** At work at once, for all addresses together. */
  total: number;
  /** Of these, for one address. */
  perAddress: number;
  /** Waiting, for one address; more are refused. */
  waitingPerAddress: number;
  /** Started for one address per second, after `burst` at once. */
  perSecond: number;
  burst: number;
  /** For one address while the process has hardly time for anything else. */
  whenBusy: { perAddress: number; perSecond: number; burst: number };
};

export type Clock = {
  /** Milliseconds of a clock that is never set. */
  now(): number;
  /** Calls back once; returns how to call it off. */
  after(milliseconds: number, callback: () => void): () => void;
};

export type Ticket =
  | {
      ok: true;
      leave(): void;
      /** Many others of its own address wait before it. */
      isBehindItsOwn: boolean;
    }
  /** The address has too many waiting already. */
  | { ok: false; retryAfterSeconds: number };

export type FairQueue = {
  /**
   * Calls `start` when it is this caller's turn, now or later. The caller calls `leave` once: when its work is done, or
   * when it gives up waiting.
   */
  enter(address: string, start: () => void): Ticket;
  /** For metrics and tests. */
  counts(): { atWork: number; waiting: number; addresses: number };
};

type Client = { atWork: number; waiting: Set<() => void>; tokens: number; busyTokens: number; refilledAt: number };

/** More than the six connections of a browser ever have. */
const MANY_WAITING = 10;

/** More addresses than this are looked through for those that have been idle for long. */
const MANY_ADDRESSES = 1_000;

/**
 * Shares places among client addresses: each has a few at work, and those that wait are served round robin, one per address,
 * however many one address sends. What comes faster than the rate of an address waits, too.
 */
export function createFairQueue(limits: FairLimits, clock: Clock, isBusy: () => boolean = () => false): FairQueue {
  const clients = new Map<string, Client>();
  // Addresses with callers who wait, the next to be served first.
  const line = new Set<string>();
  let atWork = 0;
  let cancelWake: (() => void) | null = null;

  function refill(client: Client): void {
    const now = clock.now();
    const seconds = (now - client.refilledAt) / 1000;
    const { burst, perSecond, whenBusy } = limits;
    client.tokens = Math.min(burst, client.tokens + seconds * perSecond);
    client.busyTokens = Math.min(whenBusy.burst, client.busyTokens + seconds * whenBusy.perSecond);
    client.refilledAt = now;
  }

  function clientAt(address: string): Client {
    let client = clients.get(address);
    if (!client) {
      if (clients.size >= MANY_ADDRESSES) forgetIdle();
      const { burst, whenBusy } = limits;
      const tokens = { tokens: burst, busyTokens: whenBusy.burst, refilledAt: clock.now() };
      client = { atWork: 0, waiting: new Set(), ...tokens };
      clients.set(address, client);
    }
    return client;
  }

  function forgetIdle(): void {
    for (const [address, client] of clients) {
      refill(client);
      const isFull = client.tokens >= limits.burst && client.busyTokens >= limits.whenBusy.burst;
      if (client.atWork === 0 && client.waiting.size === 0 && isFull) clients.delete(address);
    }
  }

  /** How long until an address may start one more, by its rate. */
  function waitOf(client: Client): number {
    refill(client);
    const untilToken = (tokens: number, perSecond: number) => Math.max(0, ((1 - tokens) / perSecond) * 1000);
    const forBusy = isBusy() ? untilToken(client.busyTokens, limits.whenBusy.perSecond) : 0;
    return Math.max(untilToken(client.tokens, limits.perSecond), forBusy);
  }

  /** Starts all requests that may start, and sets a timer for the first that is only rate-limited. */
  function serve(): void {
    cancelWake?.();
    cancelWake = null;
    const perAddress = isBusy() ? limits.whenBusy.perAddress : limits.perAddress;
    let nextMs = Number.POSITIVE_INFINITY;
    for (const address of line) {
      if (atWork >= limits.total) return;
      const client = clients.get(address) as Client;
      if (client.atWork >= perAddress) continue;
      const wait = waitOf(client);
      if (wait > 0) {
        nextMs = Math.min(nextMs, wait);
        continue;
      }
      const [start] = client.waiting as Set<() => void>;
      client.waiting.delete(start as () => void);
      client.atWork += 1;
      client.tokens -= 1;
      if (isBusy()) client.busyTokens -= 1;
      atWork += 1;
      // To the end of the queue; the iteration reaches it again if the place stays free.
      line.delete(address);
      if (client.waiting.size > 0) line.add(address);
      start?.();
    }
    if (nextMs < Number.POSITIVE_INFINITY) cancelWake = clock.after(Math.ceil(nextMs), serve);
  }

  return {
    enter(address, start) {
      const client = clientAt(address);
      if (client.waiting.size >= limits.waitingPerAddress)
        return { ok: false, retryAfterSeconds: Math.max(1, Math.ceil(client.waiting.size / limits.perSecond)) };
      const isBehindItsOwn = client.waiting.size >= MANY_WAITING;
      let state: 'waiting' | 'at work' | 'left' = 'waiting';
      const begin = () => {
        state = 'at work';
        start();
      };
      client.waiting.add(begin);
      line.add(address);
      serve();
      return {
        ok: true,
        isBehindItsOwn,
        leave() {
          if (state === 'left') return;
          if (state === 'waiting') {
            client.waiting.delete(begin);
            if (client.waiting.size === 0) line.delete(address);
          } else {
            client.atWork -= 1;
            atWork -= 1;
          }
          state = 'left';
          serve();
        },
      };
    },
    counts: () => ({
      atWork,
      waiting: [...clients.values()].reduce((sum, { waiting }) => sum + waiting.size, 0),
      addresses: clients.size,
    }),
  };
}
