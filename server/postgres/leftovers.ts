import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, readlinkSync, realpathSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

const FAST_SHUTDOWN_MS = 5_000;
const IMMEDIATE_SHUTDOWN_MS = 8_000; // the postmaster itself kills its children after 5 s
const KILL_MS = 2_000;

/** Ends what an earlier, killed owner left running on this cluster, and removes a pid file that would stop us. */
export async function clearLeftovers(clusterDir: string, log: (message: string) => void): Promise<void> {
  await endProcesses(clusterDir, log);
  const pidFile = join(clusterDir, 'postmaster.pid');
  const pid = readPid(pidFile);
  // A pid that does not exist is left to PostgreSQL, which then also looks for orphans in its shared memory.
  // One that is now a stranger or a zombie would make it refuse to start.
  if (pid === undefined || pidExists(pid)) rmSync(pidFile, { force: true });
}

async function endProcesses(clusterDir: string, log: (message: string) => void): Promise<void> {
  const steps = [
    { signal: 'SIGINT', timeoutMs: FAST_SHUTDOWN_MS },
    { signal: 'SIGQUIT', timeoutMs: IMMEDIATE_SHUTDOWN_MS },
    { signal: 'SIGKILL', timeoutMs: KILL_MS },
  ] as const;
  for (const { signal, timeoutMs } of steps) {
    const pids = findProcesses(clusterDir);
    if (pids.length === 0) return;
    log(`Ending a PostgreSQL left by an earlier run (${signal} to ${pids.join(', ')})`);
    for (const pid of pids) send(pid, signal);
    const deadline = Date.now() + timeoutMs;
    while (Date.now() < deadline && findProcesses(clusterDir).length > 0) await sleep(20);
  }
  const pids = findProcesses(clusterDir);
  if (pids.length > 0) {
    throw new Error(
      `PostgreSQL of an earlier run still uses ${clusterDir} and cannot be ended: pid ${pids.join(', ')}.`,
    );
  }
}

/** Postmasters on this cluster and orphans of dead ones, but no children of a living postmaster. */
function findProcesses(clusterDir: string): number[] {
  if (!existsSync(clusterDir)) return [];
  const realDir = realpathSync(clusterDir);
  if (process.platform === 'linux') return findThroughProc(realDir);
  const pid = readPid(join(clusterDir, 'postmaster.pid'));
  return pid !== undefined && isPostmasterByCommand(pid, [clusterDir, realDir]) ? [pid] : [];
}

function findThroughProc(realDir: string): number[] {
  const parents = new Map<number, number>();
  for (const name of readdirSync('/proc')) {
    if (!/^\d+$/.test(name)) continue;
    try {
      // The working folder alone is not enough: it may be a user's shell. A zombie has none.
      if (readlinkSync(`/proc/${name}/cwd`) !== realDir) continue;
      const stat = readFileSync(`/proc/${name}/stat`, 'utf8');
      const [, command, parent] = stat.match(/^\d+ \((.*)\) \S (\d+)/s) ?? [];
      if (command === 'postgres') parents.set(Number(name), Number(parent));
    } catch {
      // Ended since it was listed, or another user's process that we may not inspect.
    }
  }
  return [...parents].filter(([, parent]) => !parents.has(parent)).map(([pid]) => pid);
}

function isPostmasterByCommand(pid: number, clusterDirs: string[]): boolean {
  try {
    const command = execFileSync('ps', ['-o', 'command=', '-p', String(pid)], { encoding: 'utf8' });
    return command.includes('postgres') && clusterDirs.some((dir) => command.includes(` -D ${dir} `));
  } catch {
    return false; // ps fails when there is no such process
  }
}

function readPid(pidFile: string): number | undefined {
  try {
    const pid = Number.parseInt(readFileSync(pidFile, 'utf8'), 10);
    return pid > 0 ? pid : undefined;
  } catch {
    return undefined;
  }
}

function pidExists(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

function send(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
  }
}
