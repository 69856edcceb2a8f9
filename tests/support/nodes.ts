import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Sql } from 'postgres';
import { startEmbeddedPostgres } from '../../server/postgres/embedded-postgres.ts';
import { neverWaitForTheDisk } from './careless-database.ts';
import { freePort, startProxy } from './proxy.ts';
import { connectToShop } from './rows.ts';
import { type RunningShop, startShop } from './shop.ts';

export type Node = { url: string; shop: RunningShop; start(): Promise<void> };
export type Nodes = { url: string; nodes: Node[]; stop(): Promise<void> };

/** What each node may use of the sixty connections that the database of a single shop has. */
export const CONNECTIONS = 20;

const lookEveryMs = 100;

/**
 * Two nodes on one PostgreSQL in `dataDir`, and a balancer before them that asks them in turn, and those no more that say
 * on /healthz that they stop.
 */
export async function startNodesOn(dataDir: string, env: Record<string, string>): Promise<Nodes> {
  const postgres = await startEmbeddedPostgres({ dataDir, log: () => {} });
  await withDatabase(dataDir, neverWaitForTheDisk);
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
    DATABASE_URL: `postgres://postgres@localhost/postgres?host=${encodeURIComponent(postgres.socketDir)}`,
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
      await postgres.stop();
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

/** Where tests look for them; nodes that share a database have them there. */
async function saveKeys(dataDir: string): Promise<void> {
  await withDatabase(dataDir, async (sql) => {
    const [row] = await sql<{ value: string }[]>`select value from private.instance where name = 'keys'`;
    await writeFile(join(dataDir, 'keys.json'), row?.value ?? '');
  });
}

async function withDatabase(dataDir: string, use: (sql: Sql) => Promise<unknown>): Promise<void> {
  const sql = await connectToShop(dataDir);
  await use(sql);
  await sql.end();
}
