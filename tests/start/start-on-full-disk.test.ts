import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { copyFilledShop } from '../support/filled-shop.ts';
import { newDataDir, removeDataDir, startShop, tryStartShop } from '../support/shop.ts';
import { demoCounts, leftoversOf, told, withSql } from './processes.ts';

let folder: string;
let disk: string;

/** Where this process may not mount file systems, server/operations/full-disk.test.ts alone says what is told. */
const canMount = (() => {
  const probe = mkdtempSync(join(tmpdir(), 'mithaas-mount-'));
  const mounted = tryMount(probe, 1);
  if (mounted) execFileSync('umount', [probe]);
  rmSync(probe, { recursive: true });
  return mounted;
})();

function tryMount(place: string, megabytes: number): boolean {
  mkdirSync(place, { recursive: true });
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${megabytes}m,mode=0755`, 'tmpfs', place], { stdio: 'ignore' });
  } catch {
    return false;
  }
  return true;
}

beforeAll(async () => {
  folder = await newDataDir();
  disk = join(folder, 'disk');
});
afterEach(() => execFileSync('umount', ['-l', disk]));
afterAll(() => removeDataDir(folder));

function fill(): void {
  for (let size = 1024 * 1024; size >= 1024; size /= 2) {
    try {
      for (;;) writeFileSync(join(disk, 'ballast'), Buffer.alloc(size), { flag: 'a' });
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ENOSPC') throw error;
    }
  }
}

async function expectToldWhy(dataDir: string): Promise<void> {
  const failed = await tryStartShop({ dataDir });
  const output = failed.output as string;
  expect({ output, code: 'code' in failed ? failed.code : null }).toMatchObject({ code: 1 });
  // PostgreSQL may still report how it ended.
  const ownLines = told(output).filter((line) => !line.trimStart().startsWith('postgres:'));
  expect(ownLines.at(-1)).toMatch(
    new RegExp(`^The disk of ${dataDir} is full \\(\\d+ MB are free\\): .* Free some space, .* Nothing was lost\\.$`),
  );
  expect(leftoversOf(dataDir)).toEqual([]);
}

// 2 MB: no place for initdb. 45 MB: the database is made, and there is no room for the migrations or the demo shop.
test.runIf(canMount).each(process.env.SOAK ? [2, 45, 60] : [60])(
  'a first start on a disk of %i MB says what to do, and leaves nothing half finished',
  async (megabytes) => {
    expect(tryMount(disk, megabytes)).toBe(true);
    const dataDir = join(disk, 'data');
    await expectToldWhy(dataDir);
    execFileSync('mount', ['-o', 'remount,size=600m', disk]);
    const shop = await startShop({ dataDir });
    expect(await withSql(dataDir, demoCounts)).toMatchObject({ products: 38, seeded: 1, violations: 0 });
    expect(await shop.stop()).toBe(0);
  },
);

test.runIf(canMount)('a shop whose disk is full says what to do, and has everything once there is space', async () => {
  expect(tryMount(disk, 600)).toBe(true);
  const dataDir = await copyFilledShop(join(disk, 'data'));
  fill();
  await expectToldWhy(dataDir);
  rmSync(join(disk, 'ballast'));
  const shop = await startShop({ dataDir });
  expect(await withSql(dataDir, demoCounts)).toMatchObject({ products: 38, seeded: 1, violations: 0 });
  expect(await shop.stop()).toBe(0);
});
