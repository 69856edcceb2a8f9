import { mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { SignJWT } from 'jose';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { tokenVerifier } from '../backends/auth/verify-token.ts';
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

test('keys that were removed are replaced, and what was signed with the old ones is refused', async () => {
  const old = await keysFromDataDir(folder);
  const token = await new SignJWT({ sub: crypto.randomUUID(), role: 'authenticated', aud: 'authenticated' })
    .setProtectedHeader({ alg: 'HS256' })
    .setExpirationTime('1h')
    .sign(new TextEncoder().encode(old.jwtSecret));
  expect(await tokenVerifier(old.jwtSecret)(token)).not.toBeNull();
  await rm(join(folder, 'keys.json'));
  const keys = await keysFromDataDir(folder);
  expect(Object.values(keys).filter((value) => Object.values(old).includes(value))).toEqual([]);
  expect(await tokenVerifier(keys.jwtSecret)(token)).toBeNull();
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
