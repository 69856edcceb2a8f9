import { mkdirSync, realpathSync } from 'node:fs';
import { join } from 'node:path';
import { locateBinaries } from './binaries.ts';
import { checkOwner, prepareCluster, removeUnfinishedClusters } from './cluster.ts';
import { clearLeftovers } from './leftovers.ts';
import { type Postmaster, spawnPostmaster } from './postmaster.ts';
import { chooseRunAs, giveTo } from './run-as.ts';
import { createSocketDir, removeSocketDir, removeStaleSocketDir, socketFile, socketParent } from './socket-dir.ts';

export type EmbeddedPostgres = {
  /** A private folder (mode 700) with the server's only door, a unix socket; there is no TCP. */
  socketDir: string;
  /**
   * For postgres.js as it is, `postgres({ ...connection, max: 8 })`, and for @supabase/lite as `postgresOptions`
   * (without `url`). `path` is what both connect to; `host` is there for tools that follow libpq and take a folder.
   */
  connection: { host: string; path: string; user: string; database: string };
  /** Fast shutdown, then an immediate one if that takes too long; removes the socket folder. Safe to call twice. */
  stop(): Promise<void>;
  /** Resolves when the server is gone; `expected` is false if `stop` was not called. */
  exited: Promise<{ expected: boolean; code: number | null }>;
};

/**
 * Starts PostgreSQL on `<dataDir>/postgres`, made on the first start, and resolves when it answers queries.
 *
 * The caller owns the data folder (`lockDataDir`): whatever else runs on this cluster is taken for a leftover and ended.
 * Call it from the main thread: on Linux the kernel ends the server when the calling thread ends.
 */
export async function startEmbeddedPostgres(options: {
  dataDir: string;
  log(message: string): void;
}): Promise<EmbeddedPostgres> {
  const log = (message: string) => options.log(message);
  mkdirSync(options.dataDir, { recursive: true, mode: 0o711 });
  const dataDir = realpathSync(options.dataDir);
  const clusterDir = join(dataDir, 'postgres');
  const { initdb, postgres } = locateBinaries();

  checkOwner(clusterDir);
  await clearLeftovers(clusterDir, log);
  removeStaleSocketDir(dataDir);
  await removeUnfinishedClusters(clusterDir);

  const runAs = await chooseRunAs({ postgres, dataDir, clusterDir, socketParent: socketParent() });
  await prepareCluster({ clusterDir, initdb, runAs, log });

  const socketDir = createSocketDir(dataDir, socketParent());
  giveTo(socketDir, runAs.fileOwner);
  const connection = { host: socketDir, path: socketFile(socketDir), user: 'postgres', database: 'postgres' };

  let postmaster: Postmaster;
  try {
    postmaster = await spawnPostmaster({ postgres, clusterDir, socketDir, runAs, connection, log });
  } catch (error) {
    removeSocketDir(socketDir);
    throw error;
  }
  const exited = postmaster.exited.then((exit) => {
    removeSocketDir(socketDir);
    return exit;
  });
  return {
    socketDir,
    connection,
    exited,
    stop: async () => {
      postmaster.shutDown();
      await exited;
    },
  };
}
