// A demo shop that was opened, filled and closed once, for tests that are not about a first start.
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { inject } from 'vitest';
import type { TestProject } from 'vitest/node';
import { newDataDir, removeDataDir, startShop } from './shop.ts';

declare module 'vitest' {
  interface ProvidedContext {
    filledShop: string;
  }
}

/** One for all tests of a run. */
export default async function setup(project: TestProject) {
  const dataDir = await newDataDir();
  const shop = await startShop({ dataDir });
  await shop.stop();
  project.provide('filledShop', dataDir);
  return () => removeDataDir(dataDir);
}

/** A copy in a folder that is not there yet, or in a new one. Owners and rights are PostgreSQL's, and stay so. */
export async function copyFilledShop(dataDir?: string): Promise<string> {
  const copy = dataDir ?? (await newDataDir());
  await promisify(execFile)('cp', ['-a', `${inject('filledShop')}/.`, copy]);
  return copy;
}
