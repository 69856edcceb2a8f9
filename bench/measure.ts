import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';

/** `cpuMs`: processor time of the watched process for each. Other work on the machine changes it less than the rate. */
export type Rate = { perSecond: number; p50: number; p99: number; cpuMs: number };
export type Pace = { atOnce: number; warmUpMs: number; milliseconds: number; watched?: number | undefined };

/** Closed loop with `atOnce` clients after a warm-up. The client shares the cores with the shop. */
export async function rateOf(
  work: (n: number) => Promise<void>,
  { atOnce, warmUpMs, milliseconds, watched }: Pace,
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
  const cpuBefore = cpuMilliseconds(watched);
  const times = (await run(started + milliseconds)).sort((a, b) => a - b);
  const perSecond = (times.length / (performance.now() - started)) * 1000;
  const cpuMs = (cpuMilliseconds(watched) - cpuBefore) / times.length;
  const at = (share: number) => times[Math.floor(times.length * share)] ?? Number.NaN;
  return { perSecond, p50: at(0.5), p99: at(0.99), cpuMs };
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

/** User and system time of a process so far, to the tick of 10 ms; NaN where there is no /proc. */
function cpuMilliseconds(pid: number | undefined): number {
  if (pid === undefined || !existsSync(`/proc/${pid}/stat`)) return Number.NaN;
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
  // Its name, in brackets, may hold spaces; the times are the 14th and 15th field.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return (Number(fields[11]) + Number(fields[12])) * 10;
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
