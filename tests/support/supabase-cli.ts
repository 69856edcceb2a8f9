import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';

const cli = join(import.meta.dirname, '../supabase-tools/node_modules/.bin/supabase');

/** The real Supabase CLI, without a network and without telemetry. `home` is where it keeps its own files. */
export async function runSupabase(
  args: string[],
  { home, workdir }: { home: string; workdir: string },
): Promise<{ code: number; stdout: string; said: string }> {
  const env = { PATH: process.env.PATH, HOME: home, DO_NOT_TRACK: '1', SITE_URL: 'http://localhost:3000' };
  const options = { env, cwd: workdir, maxBuffer: 64 * 1024 * 1024 };
  return promisify(execFile)(cli, [...args, '--workdir', workdir], options).then(
    ({ stdout, stderr }) => ({ code: 0, stdout, said: stdout + stderr }),
    ({ code, stdout, stderr }) => ({ code: Number(code), stdout, said: `${stdout}${stderr}` }),
  );
}
