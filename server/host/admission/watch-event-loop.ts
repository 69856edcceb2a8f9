import { performance } from 'node:perf_hooks';

const SAMPLE_MS = 100;
const BUSY_SHARE = 0.7;
/** Otherwise a client that keeps the process busy would get its full rate back every other moment. */
const LASTS_MS = 1_000;

/** Whether the one thread that answers everybody was at work for most of a moment in the last second. */
export function watchEventLoop(): () => boolean {
  let before = performance.eventLoopUtilization();
  let busyUntil = 0;
  setInterval(() => {
    const now = performance.eventLoopUtilization();
    if (performance.eventLoopUtilization(now, before).utilization > BUSY_SHARE)
      busyUntil = performance.now() + LASTS_MS;
    before = now;
  }, SAMPLE_MS).unref();
  return () => performance.now() < busyUntil;
}
