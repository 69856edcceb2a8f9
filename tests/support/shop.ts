import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const root = join(import.meta.dirname, '../..');

export type RunningShop = {
  url: string;
  process: ChildProcess;
  dataDir: string;
  output(): string;
  /** As Ctrl-C does; resolves to the exit code when the process is gone. */
  stop(signal?: NodeJS.Signals): Promise<number | null>;
};

export type FailedStart = { code: number | null; output: string };

const openSentence = /The shop is open: (\S+)/;

/** The environment of a fresh terminal: nothing of the developer's own settings. What was compiled is kept, as by `npm start`. */
export function plainEnvironment(): Record<string, string> {
  const { PATH = '', HOME = '', TMPDIR } = process.env;
  const NODE_COMPILE_CACHE = join(root, 'node_modules/.cache/compiled');
  return { PATH, HOME, NODE_COMPILE_CACHE, ...(TMPDIR ? { TMPDIR } : {}) };
}

export async function newDataDir(): Promise<string> {
  return mkdtemp(join(tmpdir(), 'mithaas-test-'));
}

/** Runs the real host in a process of its own, on a free port. */
export async function startShop(options: {
  dataDir: string;
  env?: Record<string, string>;
  args?: string[];
  command?: string[];
}): Promise<RunningShop> {
  const started = await tryStartShop(options);
  if (!('url' in started)) throw new Error(`the shop did not start (exit code ${started.code}):\n${started.output}`);
  return started;
}

/** As `npm start` gives them. */
export const nodeFlags = ['--max-semi-space-size=32', '--heap-growing-percent=25'];

export async function tryStartShop(options: {
  dataDir: string;
  env?: Record<string, string>;
  args?: string[];
  /** Instead of what `npm start` runs in the end; then `process` is not the web process. */
  command?: string[];
  /** Before it has opened. */
  onSpawn?(child: ChildProcess): void;
}): Promise<RunningShop | FailedStart> {
  const host = [process.execPath, ...nodeFlags, join(root, 'server/main.ts'), ...(options.args ?? [])];
  const [command = '', ...args] = options.command ?? host;
  const child = spawn(command, args, {
    cwd: root,
    env: { ...plainEnvironment(), PORT: '0', DATA_DIR: options.dataDir, ...options.env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  options.onSpawn?.(child);
  let output = '';
  const exited = new Promise<number | null>((resolve) => child.once('exit', resolve));
  return new Promise((resolve, reject) => {
    const patience = setTimeout(() => {
      child.kill('SIGKILL');
      reject(new Error(`the shop did not open within two minutes:\n${output}`));
    }, 120_000);
    const settle = (result: RunningShop | FailedStart) => {
      clearTimeout(patience);
      resolve(result);
    };
    let isOpen = false;
    const listen = (chunk: Buffer) => {
      output += chunk;
      if (isOpen) return; // looking through all of it again with every line would take a busy test's time
      const url = openSentence.exec(output)?.[1];
      if (!url) return;
      isOpen = true;
      settle({
        url,
        process: child,
        dataDir: options.dataDir,
        output: () => output,
        stop: async (signal = 'SIGINT') => {
          if (child.exitCode === null && child.signalCode === null) child.kill(signal);
          return exited;
        },
      });
    };
    child.stdout.on('data', listen);
    child.stderr.on('data', listen);
    void exited.then((code) => settle({ code, output }));
  });
}

export async function removeDataDir(dataDir: string): Promise<void> {
  await rm(dataDir, { recursive: true, force: true, maxRetries: 5 });
}
