import { join } from 'node:path';
import { startEmbeddedPostgres } from '../../server/postgres/embedded-postgres.ts';
import { saveKeys } from './instance-keys.ts';
import { turnOffFsync } from './no-fsync.ts';
import { freePort, startProxy } from './proxy.ts';
import { connectToShop } from './rows.ts';
import { type RunningShop, startShop } from './shop.ts';

export type Node = { url: string; shop: RunningShop; start(): Promise<void> };
export type Nodes = { url: string; nodes: Node[]; stop(): Promise<void> };

/** What each node may use of the sixty connections that the database of a single shop has. */
export const CONNECTIONS = 20;

const lookEveryMs = 100;

type Database = { address: string; stop(): Promise<void> };

/** A PostgreSQL of the shop's own, whose user is a superuser. */
async function startOwnDatabase(dataDir: string): Promise<Database> {
  const { socketDir, stop } = await startEmbeddedPostgres({ dataDir, log: () => {} });
  const sql = await connectToShop(dataDir);
  await turnOffFsync(sql);
  await sql.end();
  return { address: `postgres://postgres@localhost/postgres?host=${encodeURIComponent(socketDir)}`, stop };
}

/**
 * Two nodes on one database, and a balancer before them that asks them in turn, and those no more that say on /healthz that
 * they stop. Keys and files are in `dataDir`.
 */
export async function startNodesOn(
  dataDir: string,
  env: Record<string, string>,
  startDatabase: (dataDir: string) => Promise<Database> = startOwnDatabase,
): Promise<Nodes> {
  const database = await startDatabase(dataDir);
  const ports = [await freePort(), await freePort()];
  let healthy = ports;
  let turn = 0;
  const proxy = await startProxy(() => {
    turn += 1;
    return healthy.map((_, index) => healthy[(index + turn) % healthy.length] as number);
  });
  const look = setInterval(async () => {
    const answers = await Promise.all(ports.map(isHealthy));
    healthy = ports.filter((_, index) => answers[index]);
  }, lookEveryMs);
  const shared = {
    DATABASE_URL: database.address,
    DATABASE_CONNECTIONS: String(CONNECTIONS),
    FILES_DIR: join(dataDir, 'files'),
    SITE_URL: proxy.url,
    DRAIN_SECONDS: '1',
    ...env,
  };
  const nodes = await Promise.all(
    ports.map(async (port, index): Promise<Node> => {
      const start = () =>
        startShop({ dataDir: join(dataDir, `node-${index}`), env: { ...shared, PORT: String(port) } });
      const node: Node = {
        url: `http://localhost:${port}`,
        shop: await start(),
        async start() {
          node.shop = await start();
        },
      };
      return node;
    }),
  );
  await saveKeys(dataDir);
  return {
    url: proxy.url,
    nodes,
    async stop() {
      clearInterval(look);
      await Promise.all(nodes.map(({ shop }) => shop.stop()));
      await proxy.stop();
      await database.stop();
    },
  };
}

async function isHealthy(port: number): Promise<boolean> {
  const question = fetch(`http://127.0.0.1:${port}/healthz`, { signal: AbortSignal.timeout(2000) });
  return question.then(
    ({ ok }) => ok,
    () => false,
  );
}
