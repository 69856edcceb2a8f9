// A demo shop that was opened, filled and closed once, to copy. `npm test` makes one for all its runs:
// node tests/support/make-filled-shop.ts FOLDER
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { newDataDir, removeDataDir, tryStartShop } from './shop.ts';

/** Its folder, and how to remove it. FILLED_SHOP names one that is there already. */
export async function filledShop(): Promise<{ dataDir: string; remove(): Promise<void> }> {
  const { FILLED_SHOP } = process.env;
  if (FILLED_SHOP) return { dataDir: FILLED_SHOP, remove: async () => {} };
  const dataDir = await newDataDir();
  await fillShop(dataDir);
  return { dataDir, remove: () => removeDataDir(dataDir) };
}

/** Owners and rights are PostgreSQL's, and stay so. */
export async function copyShop(from: string, to: string): Promise<void> {
  await promisify(execFile)('cp', ['-a', `${from}/.`, to]);
}

async function fillShop(dataDir: string): Promise<void> {
  const shop = await tryStartShop({
    dataDir,
    onSpawn: (child) => process.once('SIGTERM', () => child.kill('SIGTERM')),
  });
  if (!('url' in shop)) throw new Error(`the shop did not start (exit code ${shop.code}):\n${shop.output}`);
  await shop.stop();
}

if (import.meta.main) await fillShop(process.argv[2] ?? '');
