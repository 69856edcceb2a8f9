import { AsyncLocalStorage } from 'node:async_hooks';
import { setTimeout as sleep } from 'node:timers/promises';
import type { WorkerContext } from '../../supabase/functions/_shared/context.ts';
import { boundDueTimesNowAndThen, doDueWork, tidyNowAndThen } from '../../supabase/functions/_shared/run-jobs.ts';

/** What nothing wakes us for, such as a change in the console, has its emails and figures within two seconds. */
const betweenRounds = 1_500;
/** A letter may wait, somebody who pays may not: after each letter, for each of those who were served together. */
const restPerShopperMs = 2.5;
const longestRestMs = 50;

export type Worker = {
  /** There is something to do: start a round now, or another right after the one under way. */
  wake(): void;
  /** Takes on nothing more, and resolves when what was taken on is done. */
  stop(): Promise<void>;
};

/** Does the work between requests, one round at a time. Several processes on one database share it among them. */
export function startWorker(context: WorkerContext, crowdSize = () => 0): Worker {
  let round: Promise<void> | null = null;
  let again = false;
  let stopped = false;
  const stopping = new AbortController();
  const boundTimes = boundDueTimesNowAndThen();
  const tidy = tidyNowAndThen();
  // A round is nobody's request, even if one woke us.
  const apart = AsyncLocalStorage.snapshot();

  async function rest(): Promise<void> {
    const milliseconds = Math.min(crowdSize() * restPerShopperMs, longestRestMs);
    if (milliseconds > 0) await sleep(milliseconds, undefined, { signal: stopping.signal }).catch(() => {});
  }

  async function work(): Promise<void> {
    try {
      await boundTimes(context);
      await doDueWork(context, () => stopped, rest);
      if (!stopped) await tidy(context);
    } catch (error) {
      context.report('a round of work failed', error);
    }
  }

  function wake(): void {
    if (stopped) return;
    again = true;
    round ??= apart(async () => {
      while (again && !stopped) {
        again = false;
        await work();
      }
      round = null;
    });
  }

  const timer = setInterval(wake, betweenRounds);
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
