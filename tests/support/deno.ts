import { spawn } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';

const root = join(import.meta.dirname, '../..');
const tools = join(root, 'tests/supabase-tools/node_modules');
export const functionsDir = join(root, 'supabase/functions');
export const functionNames = readdirSync(functionsDir).filter((name) => !name.startsWith('_'));

/** Nothing is fetched: packages come from node_modules, and where they are not, it fails. */
export const offline = ['--no-remote', '--node-modules-dir=manual', '--no-lock'];

export function runDeno(args: string[], env: Record<string, string> = {}) {
  return spawn(join(tools, 'deno', process.platform === 'win32' ? 'deno.exe' : 'deno'), args, {
    cwd: root,
    env: {
      PATH: process.env.PATH ?? '',
      HOME: process.env.HOME ?? '',
      DENO_DIR: join(tools, '.cache/deno'),
      DENO_NO_UPDATE_CHECK: '1',
      NO_COLOR: '1',
      ...env,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
}

export type DenoFunctions = { port: number; names: string[]; output(): string; stop(): Promise<void> };

/** Every function of the project in one Deno, with no more rights than Supabase gives them: network and environment. */
export async function startDenoFunctions(env: Record<string, string>): Promise<DenoFunctions> {
  const rights = ['--allow-net', '--allow-env', `--allow-read=${root}`, '--no-prompt'];
  const child = runDeno(['run', ...offline, '--no-config', ...rights, 'tests/support/deno-functions.ts'], env);
  const exited = new Promise<void>((resolve) => child.once('exit', () => resolve()));
  let output = '';
  const port = await new Promise<number>((resolve, reject) => {
    const listen = (chunk: Buffer) => {
      output += chunk;
      const found = /functions on (\d+)/.exec(output)?.[1];
      if (found) resolve(Number(found));
    };
    child.stdout.on('data', listen);
    child.stderr.on('data', listen);
    child.once('error', reject);
    void exited.then(() => reject(new Error(`Deno did not start the functions:\n${output}`)));
  });
  return {
    port,
    names: functionNames,
    output: () => output,
    async stop() {
      child.kill();
      await exited;
    },
  };
}
