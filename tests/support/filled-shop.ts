// The filled demo shop of a run, for tests that are not about a first start.
import { inject } from 'vitest';
import type { TestProject } from 'vitest/node';
import { copyShop, filledShop } from './make-filled-shop.ts';
import { newDataDir } from './shop.ts';

declare module 'vitest' {
  interface ProvidedContext {
    filledShop: string;
  }
}

/** One for all tests of a run, also for those of other projects and for the shop of shop-setup.ts. */
export default async function setup(project: TestProject) {
  const { dataDir, remove } = await filledShop();
  process.env.FILLED_SHOP = dataDir;
  project.provide('filledShop', dataDir);
  return remove;
}

/** A copy in a folder that is not there yet, or in a new one. */
export async function copyFilledShop(dataDir?: string): Promise<string> {
  const copy = dataDir ?? (await newDataDir());
  await copyShop(inject('filledShop'), copy);
  return copy;
}
