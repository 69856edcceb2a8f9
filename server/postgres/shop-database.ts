import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import postgres, { type Options, type Sql } from 'postgres';
import { asShopRole } from '../backends/schema/shop-role.ts';
import type { ShopConfig } from '../config.ts';
import { lockDataDir } from './data-dir-lock.ts';
import { databaseAt, explainAt } from './database-address.ts';
import { startEmbeddedPostgres } from './embedded-postgres.ts';
import { socketFile } from './socket-dir.ts';

export type Connection = Options<Record<string, never>>;

// Of the password, of a database that is not there, or for want of rights.
const isRefusal = /^(28|3D|42501)/;

/** The database of this shop, for a command beside it: whether it runs, is stopped, or keeps its rows at DATABASE_URL. */
export async function withShopDatabase<T>(config: ShopConfig, use: (connection: Connection) => Promise<T>): Promise<T> {
  const { dataDir, databaseUrl } = config;
  if (databaseUrl) {
    return use(databaseAt(databaseUrl)).catch((error: Error & { code?: string }) => {
      throw isRefusal.test(error.code ?? '') ? explainAt(databaseUrl, error) : error;
    });
  }
  if (!existsSync(join(dataDir, 'postgres'))) {
    throw new Error(`There is no shop in ${dataDir} yet: start it and sign in first, then run this again.`);
  }
  const locked = lockDataDir(dataDir);
  if (!locked.ok) {
    const path = socketFile(socketDirIn(dataDir));
    return use(await asShopRole({ path, user: 'postgres', database: 'postgres' }));
  }
  try {
    const server = await startEmbeddedPostgres({ dataDir, log: () => {} });
    try {
      return await use(await asShopRole(server.connection));
    } finally {
      await server.stop();
    }
  } finally {
    locked.lock.release();
  }
}

export async function withConnection<T>(connection: Connection, use: (sql: Sql) => Promise<T>): Promise<T> {
  const sql = postgres({ ...connection, max: 3, connect_timeout: 10, onnotice: () => {} });
  try {
    return await use(sql);
  } finally {
    await sql.end({ timeout: 1 }); // nothing is under way any more; on a lost connection it would wait for nothing
  }
}

/** Where the shop that holds the folder noted its socket (server/postgres/socket-dir.ts). */
function socketDirIn(dataDir: string): string {
  return readFileSync(join(dataDir, 'postgres-socket-dir'), 'utf8').trim();
}

/** An error message for the terminal. */
export function explainDatabaseError(error: Error & { code?: string }): string {
  // Away: no socket file, or no server behind it. Empty: the tables do not exist yet.
  const away = ['ENOENT', 'ECONNREFUSED', 'CONNECT_TIMEOUT', '57P03'];
  const empty = ['42P01', '3F000'];
  if (away.includes(error.code ?? '')) return `The database does not answer (${error.code}): try again in a moment.`;
  if (empty.includes(error.code ?? '')) return 'There is no shop in this database yet: start it and sign in first.';
  return error.message;
}
