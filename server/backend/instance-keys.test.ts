import { mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { keysFromDataDir } from './instance-keys.ts';

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'mithaas-keys-'));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

test('keys are made once, kept, and readable by nobody else', async () => {
  const dataDir = join(folder, 'not/yet/there');
  const keys = await keysFromDataDir(dataDir);
  expect(keys.publishableKey).toMatch(/^sb_publishable_[\w-]{32}$/);
  expect(keys.secretKey).toMatch(/^sb_secret_[\w-]{43}$/);
  expect(keys.jwtSecret.length).toBeGreaterThanOrEqual(64);
  expect(await keysFromDataDir(dataDir)).toEqual(keys);
  expect((await stat(join(dataDir, 'keys.json'))).mode & 0o777).toBe(0o600);
  expect(await readdir(dataDir)).toEqual(['keys.json']);
});

test('two installations have nothing in common', async () => {
  const [one, two] = [await keysFromDataDir(join(folder, 'one')), await keysFromDataDir(join(folder, 'two'))];
  expect(Object.values(one).filter((value) => Object.values(two).includes(value))).toEqual([]);
});

test.each([
  ['empty', ''],
  ['half written', '{"publishableKey":"sb_publishable_x"'],
  ['not an object', 'null'],
  ['without the secret', '{"publishableKey":"sb_publishable_x","secretKey":"sb_secret_x"}'],
  ['with a short secret', '{"publishableKey":"sb_publishable_x","secretKey":"sb_secret_x","jwtSecret":"short"}'],
])('a key file that is %s stops the start, says what to do, shows no key and is left as it is', async (_name, text) => {
  const file = join(folder, 'keys.json');
  await writeFile(file, text);
  const failure = await keysFromDataDir(folder).catch((error: Error) => error.message);
  expect(failure).toBe(`${file} is damaged: delete it to make new keys (everybody signs in again)`);
  expect(await readFile(file, 'utf8')).toBe(text);
});
