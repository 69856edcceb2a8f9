import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chownSync, mkdirSync, realpathSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { lookUpNobody } from '../../server/postgres/run-as.ts';
import { newDataDir, removeDataDir } from '../support/shop.ts';
import { eventually, leftoversOf } from './processes.ts';

const root = realpathSync(join(import.meta.dirname, '../..'));
const node = realpathSync(process.execPath);
type User = { uid: number; gid: number };
type Call = { command: string; args: string[]; credentials?: User };

let folder: string;
let child: ChildProcess | undefined;

beforeAll(async () => {
  folder = await newDataDir();
});

afterAll(async () => {
  if (child?.exitCode === null && child.signalCode === null) child.kill('SIGKILL');
  await eventually(() => leftoversOf(join(folder, 'data')).length === 0, 'nothing is left of the shop').catch(() => {});
  await removeDataDir(folder);
});

/** How to start the shop as an unprivileged user; a text says why that cannot be tried here. */
function ordinaryCall(): Call | string {
  if (process.getuid?.() !== 0) return { command: node, args: [join(root, 'server/main.ts')] };
  const nobody = lookUpNobody();
  if (!nobody) return 'this machine has no user "nobody" to try with';
  for (const path of [folder, join(folder, 'data'), join(folder, 'tmp')]) chownSync(path, nobody.uid, nobody.gid);
  if (canReach(nobody)) return { command: node, args: [join(root, 'server/main.ts')], credentials: nobody };

  // The project lies in a folder for root alone: show it to that user under another path, in a mount space of its own.
  const seen = join(folder, 'project');
  mkdirSync(seen);
  const script = 'mount --bind "$1" "$2" && exec setpriv --reuid "$3" --regid "$4" --clear-groups "$5" "$6"';
  const program = node.startsWith(`${root}/`) ? node.replace(root, seen) : node;
  const ids = [String(nobody.uid), String(nobody.gid)];
  const call = (file: string) => ['--mount', 'sh', '-c', script, 'sh', root, seen, ...ids, program, file];
  try {
    execFileSync('unshare', call(join(seen, 'server/config.ts')), { cwd: '/', stdio: 'pipe' });
    return { command: 'unshare', args: call(join(seen, 'server/main.ts')) };
  } catch (error) {
    return `only root may enter the folders above ${root}, and they cannot be mounted elsewhere: ${error}`;
  }
}

function canReach(user: User): boolean {
  try {
    execFileSync(node, [join(root, 'server/config.ts')], { cwd: '/', stdio: 'pipe', ...user });
    return true;
  } catch {
    return false;
  }
}

test('an ordinary user can start the shop, and stop it without leftovers', async ({ skip }) => {
  const dataDir = join(folder, 'data');
  for (const name of ['data', 'tmp']) mkdirSync(join(folder, name));
  const call = ordinaryCall();
  if (typeof call === 'string') return skip(call);

  const shop = spawn(call.command, call.args, {
    cwd: '/',
    env: {
      PATH: process.env.PATH,
      HOME: '/nonexistent',
      PORT: '0',
      DATA_DIR: dataDir,
      TMPDIR: join(folder, 'tmp'),
    },
    stdio: ['ignore', 'pipe', 'pipe'],
    ...call.credentials,
  });
  child = shop;
  let output = '';
  for (const stream of [shop.stdout, shop.stderr]) stream.on('data', (chunk) => (output += chunk));
  await eventually(() => output.includes('The shop is open') || shop.exitCode !== null, 'the shop is open', 60_000);
  const url = /The shop is open: (\S+)/.exec(output)?.[1];
  if (!url) throw new Error(`it did not open:\n${output}`);

  const uids = execFileSync('ps', ['-o', 'uid=', '-p', String(shop.pid)], { encoding: 'utf8' });
  expect(Number(uids)).not.toBe(0);
  expect((await fetch(`${url}/healthz`)).status).toBe(200);
  expect((await fetch(`${url}/`)).status).toBe(200);
  const gone = once(shop, 'exit');
  shop.kill('SIGINT');
  expect(await gone).toEqual([0, null]);
  expect(leftoversOf(dataDir)).toEqual([]);
});
