import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { pathToFileURL } from 'node:url';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { lockDataDir } from './data-dir-lock.ts';

let dataDir: string;
let children: ChildProcess[];

beforeEach(() => {
  dataDir = mkdtempSync(join(tmpdir(), 'mithaas-test-'));
  children = [];
});

afterEach(() => {
  for (const child of children) child.kill('SIGKILL');
  rmSync(dataDir, { recursive: true });
});

/** Another process that tries to lock, says what it got and stays; collecting garbage must not cost it the lock. */
async function lockInChild() {
  const code = `
    import { lockDataDir } from ${JSON.stringify(pathToFileURL(join(import.meta.dirname, 'data-dir-lock.ts')).href)};
    const { ok, ownerPid } = lockDataDir(${JSON.stringify(dataDir)});
    for (let round = 0; round < 3; round++) await new Promise((resolve) => setTimeout(resolve, 1)), gc();
    console.log(JSON.stringify({ ok, ownerPid }));
    setInterval(() => {}, 1000);`;
  const child = spawn(process.execPath, ['--expose-gc', '--input-type=module', '-e', code], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  children.push(child);
  const [line] = await once(createInterface({ input: child.stdout }), 'line');
  return { child, result: JSON.parse(line) as { ok: boolean; ownerPid?: number } };
}

test('a second process is refused and told who owns the folder', async () => {
  const mine = lockDataDir(dataDir);
  expect(mine.ok).toBe(true);
  expect((await lockInChild()).result).toEqual({ ok: false, ownerPid: process.pid });
  expect(lockDataDir(dataDir)).toEqual({ ok: false, reason: 'in-use', ownerPid: process.pid });

  if (mine.ok) mine.lock.release();
  expect((await lockInChild()).result).toEqual({ ok: true });
});

test('the folder is free after kill -9 of its owner', async () => {
  const { child, result } = await lockInChild();
  expect(result).toEqual({ ok: true });
  expect(lockDataDir(dataDir)).toEqual({ ok: false, reason: 'in-use', ownerPid: child.pid });

  child.kill('SIGKILL');
  await once(child, 'exit');
  const mine = lockDataDir(dataDir);
  expect(mine.ok).toBe(true);
  if (mine.ok) mine.lock.release();
});

test('of several that start together exactly one gets the folder', async () => {
  const results = await Promise.all(Array.from({ length: 4 }, () => lockInChild()));
  expect(results.filter(({ result }) => result.ok)).toHaveLength(1);
  const owner = results.find(({ result }) => result.ok)?.child.pid;
  for (const { result } of results) if (!result.ok) expect(result.ownerPid).toBe(owner);
});
