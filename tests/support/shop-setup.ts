import type { TestProject } from 'vitest/node';
import { neverWaitForTheDisk } from './careless-database.ts';
import { connectToShop } from './rows.ts';
import { newDataDir, removeDataDir, startShop } from './shop.ts';

declare module 'vitest' {
  interface ProvidedContext {
    shopUrl: string;
    shopDataDir: string;
  }
}

/** Whoever has it may read the metrics of that shop. */
export const metricsToken = 'token-of-the-http-tests';

/** One demo shop for all HTTP tests of a run; each test brings people and rows of its own. */
export default async function setup(project: TestProject) {
  const dataDir = await newDataDir();
  const shop = await startShop({ dataDir, env: { METRICS_TOKEN: metricsToken } });
  const sql = await connectToShop(dataDir);
  await neverWaitForTheDisk(sql);
  await sql.end();
  project.provide('shopUrl', shop.url);
  project.provide('shopDataDir', dataDir);
  return async () => {
    await shop.stop();
    await removeDataDir(dataDir);
  };
}
