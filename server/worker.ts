import type { WorkerContext } from '../supabase/functions/_shared/context.ts';
import { doDueWork, tidyUp } from '../supabase/functions/_shared/work.ts';

const betweenRounds = 5_000;
const betweenSweeps = 10 * 60_000;

export type Worker = {
  /** There is something to do: start a round now, or another right after the one under way. */
  wake(): void;
  /** Resolves when the round under way is done. */
  stop(): Promise<void>;
};

/** Does the work between requests, one round at a time. Several processes on one database share it among them. */
export function startWorker(context: WorkerContext): Worker {
  let round: Promise<void> | null = null;
  let again = false;
  let stopped = false;
  // By a clock that nobody sets: after a jump back of the other there would be no sweeping for as long.
  let sweepAt = 0;

  async function work(): Promise<void> {
    try {
      await doDueWork(context);
      if (performance.now() < sweepAt) return;
      sweepAt = performance.now() + betweenSweeps;
      await tidyUp(context);
    } catch (error) {
      context.report('a round of work failed', error);
    }
  }

  function wake(): void {
    if (stopped) return;
    again = true;
    round ??= (async () => {
      while (again && !stopped) {
        again = false;
        await work();
      }
      round = null;
    })();
  }

  const timer = setInterval(wake, betweenRounds);
  timer.unref();
  return {
    wake,
    async stop() {
      stopped = true;
      clearInterval(timer);
      await round;
    },
  };
}
