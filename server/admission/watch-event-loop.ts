import { performance } from 'node:perf_hooks';

const SAMPLE_MS = 100;
const BUSY_SHARE = 0.7;

/** Whether the one thread that answers everybody was at work for most of the last moment. */
export function watchEventLoop(): () => boolean {
  let before = performance.eventLoopUtilization();
  let isBusy = false;
  setInterval(() => {
    const now = performance.eventLoopUtilization();
    isBusy = performance.eventLoopUtilization(now, before).utilization > BUSY_SHARE;
    before = now;
  }, SAMPLE_MS).unref();
  return () => isBusy;
}
