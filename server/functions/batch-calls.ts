import { setTimeout as sleep } from 'node:timers/promises';
import { beginWork, onBehalfOfMany, waitingSignal } from '../host/request-scope.ts';
import { ConnectionWaitError } from '../postgres/semaphore.ts';

/** Calls a SQL function by its named arguments. */
export type Call = (name: string, args: Record<string, unknown>) => Promise<unknown>;

/** Larger batches make the first calls wait for the last. */
const MAX_BATCH_SIZE = 32;
/** For this long after a batch the next call waits a batching window. */
const BUSY_MS = 100;
const BATCH_WINDOW_MS = 2;
/** Longest delay of the next batch by one that waits for a lock or a hanging database. */
const MAX_DELAY_MS = 100;

type Pending<Input, Result> = {
  input: Input;
  signal: AbortSignal | undefined;
  resolve(result: Result): void;
  reject(error: unknown): void;
};

/**
 * Batches calls of one SQL function that arrive while another is running: a hundred payments in the same second cost the
 * database far less in one statement than in a hundred. `batched` names for each function the one that takes many: it is
 * given `calls`, the arguments of each, and returns as many results. `onBatch` gets the size of each batch.
 */
export function batchCalls(call: Call, batched: Record<string, string>, onBatch?: (size: number) => void): Call {
  const batchers = new Map(
    Object.entries(batched).map(([name, many]) => [
      name,
      batch(
        (args: Record<string, unknown>) => call(name, args),
        async (calls) => {
          onBatch?.(calls.length);
          const results = (await call(many, { calls })) as unknown[];
          onBatch?.(calls.length);
          return results;
        },
      ),
    ]),
  );
  return (name, args) => batchers.get(name)?.(args) ?? call(name, args);
}

/** Twice the longest wait for locks in a batch. */
const PEAK_LASTS_MS = 500;

/** The largest batch of the last half second; 0 when there was none. */
export function peakBatchSize(): { record(size: number): void; current(): number } {
  let peak = 0;
  let until = 0;
  const current = () => (performance.now() < until ? peak : 0);
  return {
    record(size) {
      peak = Math.max(current(), size);
      until = performance.now() + PEAK_LASTS_MS;
    },
    current,
  };
}

/**
 * Runs a single call alone and batches those that arrive while it runs. A call whose result in a batch is null, and each call of
 * a batch that fails, is retried alone, so that only the faulty one fails.
 */
export function batch<Input, Result>(
  runOne: (input: Input) => Promise<Result>,
  runMany: (inputs: Input[]) => Promise<(Result | null)[]>,
): (input: Input) => Promise<Result> {
  const queue: Pending<Input, Result>[] = [];
  let isRunning = false;
  let busyUntil = 0;

  async function runSingle({ input, resolve, reject }: Pending<Input, Result>): Promise<void> {
    await runOne(input).then(resolve, reject);
  }

  async function runBatch(calls: Pending<Input, Result>[]): Promise<void> {
    const results = await runMany(calls.map(({ input }) => input)).catch(() => null);
    for (const [index, call] of calls.entries()) {
      const result = results?.[index] ?? null;
      if (result === null) void runSingle(call);
      else call.resolve(result);
    }
    busyUntil = performance.now() + BUSY_MS;
  }

  /** Calls of clients that have left are dropped: nothing of theirs has begun. */
  function takeBatch(): Pending<Input, Result>[] {
    const calls: Pending<Input, Result>[] = [];
    while (calls.length < MAX_BATCH_SIZE && queue.length > 0) {
      const next = queue.shift() as Pending<Input, Result>;
      if (next.signal?.aborted) next.reject(new ConnectionWaitError('CONNECTION_WAIT_ABORTED'));
      else calls.push(next);
    }
    return calls;
  }

  async function run(): Promise<void> {
    isRunning = true;
    while (queue.length > 0) {
      if (performance.now() < busyUntil) await sleep(BATCH_WINDOW_MS);
      const calls = takeBatch();
      const [first] = calls;
      if (!first) continue;
      await Promise.race([calls.length === 1 ? runSingle(first) : runBatch(calls), sleep(MAX_DELAY_MS)]);
    }
    isRunning = false;
  }

  function enqueue(input: Input): Promise<Result> {
    return new Promise((resolve, reject) => {
      queue.push({ input, signal: waitingSignal(), resolve, reject });
      // A batch belongs to many requests and goes on when one of them is aborted.
      if (!isRunning) void onBehalfOfMany(run);
    });
  }

  return async (input) => {
    const result = await enqueue(input);
    beginWork();
    return result;
  };
}
