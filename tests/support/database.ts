import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import postgres, { type Options, type Sql } from 'postgres';
import { provisionSystemSchemas } from '../../server/backend/lite.ts';
import { migrate } from '../../server/backend/migrate.ts';
import { grantSystemSchemas, prepareRoles } from '../../server/backend/prepare-database.ts';
import { type EmbeddedPostgres, startEmbeddedPostgres } from '../../server/postgres/embedded-postgres.ts';
import { neverWaitForTheDisk } from './careless-database.ts';
import { newDataDir, removeDataDir } from './shop.ts';

export const supabaseDir = join(import.meta.dirname, '../../supabase');

export type TestServer = {
  /** The unix socket; every test file makes a database of its own on it with `newDatabase`. */
  path: string;
  stop(): Promise<void>;
};

const template = 'migrated';

/** One PostgreSQL for a run of tests, with a migrated database to copy. */
export async function startTestServer(): Promise<TestServer> {
  const dataDir = await newDataDir();
  const server: EmbeddedPostgres = await startEmbeddedPostgres({ dataDir, log: () => {} });
  const { path } = server.connection;
  const stop = async () => {
    await server.stop();
    await removeDataDir(dataDir);
  };
  try {
    await makeTemplate(path);
  } catch (error) {
    await stop();
    throw error;
  }
  return { path, stop };
}

async function makeTemplate(path: string): Promise<void> {
  const admin = connect(path, 'postgres');
  await neverWaitForTheDisk(admin);
  await admin.unsafe(`create database ${template}`);
  await admin.end();
  const sql = connect(path, template);
  await prepareRoles(sql);
  await provisionSystemSchemas(connectionTo(path, template));
  await grantSystemSchemas(sql);
  await migrate(sql, join(supabaseDir, 'migrations'));
  await sql.end();
}

export type TestDatabase = { sql: Sql; connection: Options<Record<string, never>>; drop(): Promise<void> };

/** A fresh copy of the migrated database, without demo data. */
export async function newDatabase(path: string): Promise<TestDatabase> {
  const name = `test_${randomBytes(6).toString('hex')}`;
  const admin = connect(path, 'postgres');
  await admin.unsafe(`create database ${name} template ${template}`);
  const sql = connect(path, name);
  return {
    sql,
    connection: connectionTo(path, name),
    async drop() {
      await sql.end();
      await admin.unsafe(`drop database ${name} with (force)`);
      await admin.end();
    },
  };
}

export async function withMigratedDatabase<T>(use: (sql: Sql) => Promise<T>): Promise<T> {
  const server = await startTestServer();
  try {
    const database = await newDatabase(server.path);
    try {
      return await use(database.sql);
    } finally {
      await database.drop();
    }
  } finally {
    await server.stop();
  }
}

function connectionTo(path: string, database: string): Options<Record<string, never>> {
  return { path, user: 'postgres', database } as Options<Record<string, never>>;
}

function connect(path: string, database: string): Sql {
  return postgres({ ...connectionTo(path, database), onnotice: () => {}, max: 4 });
}
