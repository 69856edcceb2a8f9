import { AsyncLocalStorage } from 'node:async_hooks';
import { setTimeout as sleep } from 'node:timers/promises';
import type { WorkerContext } from '../../supabase/functions/_shared/context.ts';
import { boundDueTimesNowAndThen, doDueWork, tidyNowAndThen } from '../../supabase/functions/_shared/run-jobs.ts';

/** Changes that do not wake a worker, such as those of the console, are processed within two seconds. */
const ROUND_INTERVAL_MS = 1_500;
/** Payments have priority over emails: the pause after each email grows with the batches of customers' calls. */
const PAUSE_PER_CUSTOMER_MS = 2.5;
const MAX_PAUSE_MS = 50;

export type Worker = {
  /** Starts a round now, or right after the running one. */
  wake(): void;
  /** Claims no more jobs; resolves when the running ones are done. */
  stop(): Promise<void>;
};

/** Runs background jobs, one round at a time. Processes with the same database share the queue. */
export function startWorker(context: WorkerContext, customerPeak = () => 0): Worker {
  let round: Promise<void> | null = null;
  let again = false;
  let stopped = false;
  const stopping = new AbortController();
  const boundTimes = boundDueTimesNowAndThen();
  const tidy = tidyNowAndThen();
  // A round belongs to no request, even if one woke us.
  const outsideRequests = AsyncLocalStorage.snapshot();

  async function pause(): Promise<void> {
    const milliseconds = Math.min(customerPeak() * PAUSE_PER_CUSTOMER_MS, MAX_PAUSE_MS);
    if (milliseconds > 0) await sleep(milliseconds, undefined, { signal: stopping.signal }).catch(() => {});
  }

  async function work(): Promise<void> {
    try {
      await boundTimes(context);
      await doDueWork(context, () => stopped, pause);
      if (!stopped) await tidy(context);
    } catch (error) {
      context.report('a round of work failed', error);
    }
  }

  function wake(): void {
    if (stopped) return;
    again = true;
    round ??= outsideRequests(async () => {
      while (again && !stopped) {
        again = false;
        await work();
      }
      round = null;
    });
  }

  const timer = setInterval(wake, ROUND_INTERVAL_MS);
  timer.unref();
  return {
    wake,
    async stop() {
      stopped = true;
      stopping.abort();
      clearInterval(timer);
      await round;
    },
  };
}
