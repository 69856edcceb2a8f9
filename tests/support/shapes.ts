// The shapes a shop is run in. Tests of the HTTP interface pass in all of them.
import { join } from 'node:path';
import { jobsSecret, startHostedProject } from './hosted-project.ts';
import { copyShop, filledShop } from './make-filled-shop.ts';
import { turnOffFsync } from './no-fsync.ts';
import { startNodesOn } from './nodes.ts';
import { freePort } from './proxy.ts';
import { connectToShop } from './rows.ts';
import { newDataDir, removeDataDir, startShop } from './shop.ts';
import { startStrictDatabase } from './strict-database.ts';

/**
 * embedded: one process with everything in it. nodes: two of them behind a proxy that asks them in turn, on one database,
 * that of a Supabase project. hosted: a web node, with a project elsewhere whose functions run under Deno.
 */
export type Shape = 'embedded' | 'nodes' | 'hosted';

export type RunningShape = {
  /** Where the pages are. */
  shopUrl: string;
  /** Where Data API, Auth, Storage, realtime and functions are. */
  backendUrl: string;
  /** Holds keys.json, the socket of the database and files/, in every shape. */
  dataDir: string;
  stop(): Promise<void>;
};

export async function startShape(shape: Shape, env: Record<string, string> = {}): Promise<RunningShape> {
  const dataDir = await newDataDir();
  const starts = { embedded: startEmbedded, nodes: startNodes, hosted: startHosted };
  // All customers of a test run come from one address; what one address may do is tested in tests/start.
  const { stop, ...addresses } = await starts[shape](dataDir, { CLIENT_LIMIT: '100', ...env });
  return {
    ...addresses,
    dataDir,
    async stop() {
      await stop();
      await removeDataDir(dataDir);
    },
  };
}

type Started = Omit<RunningShape, 'dataDir'>;

async function startEmbedded(dataDir: string, env: Record<string, string>): Promise<Started> {
  const filled = await filledShop();
  await copyShop(filled.dataDir, dataDir);
  await filled.remove();
  const asInTheImage = `--import=${new URL('as-in-the-image.mjs', import.meta.url).href}`;
  const shop = await startShop({ dataDir, env: { ...env, NODE_OPTIONS: asInTheImage } });
  const sql = await connectToShop(dataDir);
  await turnOffFsync(sql);
  await sql.end();
  return {
    shopUrl: shop.url,
    backendUrl: shop.url,
    async stop() {
      await shop.stop();
      const failures = shop
        .output()
        .split('\n')
        .filter((line) => line.includes('"level":"error"'));
      if (failures.length > 0) throw new Error(`the shop logged errors:\n${failures.join('\n')}`);
    },
  };
}

async function startNodes(dataDir: string, env: Record<string, string>): Promise<Started> {
  const { url, stop } = await startNodesOn(dataDir, env, startStrictDatabase);
  return { shopUrl: url, backendUrl: url, stop };
}

async function startHosted(dataDir: string, env: Record<string, string>): Promise<Started> {
  const port = await freePort();
  const shopUrl = `http://localhost:${port}`;
  const project = await startHostedProject({ dataDir, siteUrl: shopUrl, port: await freePort() });
  const shop = await startShop({
    dataDir: join(dataDir, 'unused'),
    env: {
      ...env,
      PORT: String(port),
      SUPABASE_URL: project.url,
      SUPABASE_ANON_KEY: project.anonKey,
      JOBS_SECRET: jobsSecret,
    },
  });
  return {
    shopUrl,
    backendUrl: project.url,
    async stop() {
      await shop.stop();
      await project.stop();
    },
  };
}
