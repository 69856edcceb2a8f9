import { chmodSync, mkdirSync, mkdtempSync, readlinkSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { locateBinaries } from './binaries.ts';

let packageDir: string;

beforeEach(() => {
  packageDir = mkdtempSync(join(tmpdir(), 'mithaas-test-'));
  for (const folder of ['native/bin', 'native/lib']) mkdirSync(join(packageDir, folder), { recursive: true });
  for (const name of ['initdb', 'postgres']) writeFileSync(join(packageDir, 'native/bin', name), '', { mode: 0o755 });
});

afterEach(() => rmSync(packageDir, { recursive: true }));

test('makes the library links when install scripts did not run', () => {
  const links = [{ source: 'native/lib/libpq.so.5.18', target: 'native/lib/libpq.so.5' }];
  writeFileSync(join(packageDir, 'native/pg-symlinks.json'), JSON.stringify(links));
  writeFileSync(join(packageDir, 'native/lib/libpq.so.5.18'), '');
  for (let start = 0; start < 2; start++) locateBinaries(packageDir);
  expect(readlinkSync(join(packageDir, 'native/lib/libpq.so.5'))).toBe('libpq.so.5.18');
});

test('says what to do when a program is missing or not executable', () => {
  chmodSync(join(packageDir, 'native/bin/postgres'), 0o644);
  expect(() => locateBinaries(packageDir)).toThrow(/chmod \+x/);
  rmSync(join(packageDir, 'native/bin/postgres'));
  expect(() => locateBinaries(packageDir)).toThrow(/npm install/);
});
