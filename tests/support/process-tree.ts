import { execFileSync } from 'node:child_process';

export type Running = { pid: number; parent: number; command: string };

/** Everything that runs on this machine, zombies left out. */
export function allProcesses(): Running[] {
  const listed = execFileSync('ps', ['-axwwo', 'pid=,ppid=,stat=,command='], {
    encoding: 'utf8',
    maxBuffer: 2 ** 26,
  });
  return listed.split('\n').flatMap((line) => {
    const [, pid, parent, state, command] = line.match(/^\s*(\d+)\s+(\d+)\s+(\S+)\s+(.*)$/) ?? [];
    return pid && command && !state?.startsWith('Z') ? [{ pid: Number(pid), parent: Number(parent), command }] : [];
  });
}

/** A process and all that it started. */
export function treeOf(pid: number): number[] {
  const all = allProcesses();
  const below = (parent: number): number[] =>
    all.filter((one) => one.parent === parent).flatMap((one) => [one.pid, ...below(one.pid)]);
  return [pid, ...below(pid)];
}
