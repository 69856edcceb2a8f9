import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';

export type Rate = { perSecond: number; p50: number; p99: number };

/** Closed loop with `atOnce` clients after a warm-up. The client shares the cores with the shop. */
export async function rateOf(
  work: (n: number) => Promise<void>,
  { atOnce, warmUpMs, milliseconds }: { atOnce: number; warmUpMs: number; milliseconds: number },
): Promise<Rate> {
  let next = 0;
  const run = async (end: number): Promise<number[]> => {
    const times: number[] = [];
    const worker = async () => {
      while (performance.now() < end) {
        const started = performance.now();
        await work(next++);
        times.push(performance.now() - started);
      }
    };
    await Promise.all(Array.from({ length: atOnce }, worker));
    return times;
  };
  await run(performance.now() + warmUpMs);
  const started = performance.now();
  const times = (await run(started + milliseconds)).sort((a, b) => a - b);
  const perSecond = (times.length / (performance.now() - started)) * 1000;
  const at = (share: number) => times[Math.floor(times.length * share)] ?? Number.NaN;
  return { perSecond, p50: at(0.5), p99: at(0.99) };
}

export function median(values: readonly number[]): number {
  return [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN;
}

export function residentMegabytes(pid: number | undefined): number {
  const kilobytes = existsSync('/proc/self/status')
    ? /VmRSS:\s+(\d+) kB/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]
    : execFileSync('ps', ['-o', 'rss=', '-p', String(pid)]).toString();
  return Math.round(Number(kilobytes) / 1024);
}

/** Maximum RSS of a process from now on, sampled four times a second. */
export function watchMemory(pid: number | undefined): { most(): number } {
  let most = 0;
  const look = () => {
    most = Math.max(most, residentMegabytes(pid));
  };
  const timer = setInterval(() => {
    try {
      look();
    } catch {
      // The process has ended; its caller reports that.
    }
  }, 250).unref();
  return {
    most() {
      clearInterval(timer);
      look();
      return most;
    },
  };
}
