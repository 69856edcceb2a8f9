import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import postgres, { type Options, type Sql } from 'postgres';
import { migrate } from '../../server/backends/schema/migrate.ts';
import { grantSystemSchemas, prepareRoles, seedDemo } from '../../server/backends/schema/prepare-database.ts';
import { provisionSystemSchemas } from '../../server/lite/lite.ts';
import { type EmbeddedPostgres, startEmbeddedPostgres } from '../../server/postgres/embedded-postgres.ts';
import { turnOffFsync } from './no-fsync.ts';
import { connectAs, platformAdmin, prepareProject, startPlainPostgres } from './plain-postgres.ts';
import { newDataDir, removeDataDir } from './shop.ts';

export const supabaseDir = join(import.meta.dirname, '../../supabase');

export type TestServer = {
  /** The unix socket; every test file makes a database of its own on it with `newDatabase`. */
  path: string;
  stop(): Promise<void>;
};

const templates = { empty: 'migrated', demo: 'migrated_with_demo' } as const;

/**
 * platform: as strict as a Supabase project, where `postgres` is no superuser and owns neither Auth nor Storage. embedded: what
 * the shop makes for itself. `npm test` runs on the first, `npm run test:soak` on both.
 */
export const ground = process.env.GROUND === 'embedded' ? 'embedded' : 'platform';

/** One PostgreSQL for a run of tests, with a migrated database to copy. */
export async function startTestServer(): Promise<TestServer> {
  const server = await (ground === 'platform' ? startPlainPostgres(18, 200) : startEmbedded());
  try {
    await makeTemplate(server.path);
  } catch (error) {
    await server.stop();
    throw error;
  }
  return server;
}

async function startEmbedded(): Promise<TestServer> {
  const dataDir = await newDataDir();
  const server: EmbeddedPostgres = await startEmbeddedPostgres({ dataDir, log: () => {} });
  const sql = connect(server.connection.path, 'postgres');
  await turnOffFsync(sql);
  await sql.unsafe(`create role ${platformAdmin} superuser login`);
  await sql.end();
  return {
    path: server.connection.path,
    async stop() {
      await server.stop();
      await removeDataDir(dataDir);
    },
  };
}

async function makeTemplate(path: string): Promise<void> {
  await createGround(path, templates.empty);
  const sql = connect(path, templates.empty);
  await migrate(sql, supabaseDir);
  await sql.end();
}

/** A database with what is there before the first migration. */
async function createGround(path: string, name: string): Promise<void> {
  const admin = connect(path, 'postgres', platformAdmin);
  await admin.unsafe(`create database ${name} owner postgres`);
  await admin.end();
  if (ground === 'platform') return prepareProject(path, name, { roles: false });
  const sql = connect(path, name);
  await prepareRoles(sql);
  await provisionSystemSchemas(connectAs(path, 'postgres', name));
  await grantSystemSchemas(sql);
  await sql.end();
}

/** Once for all files that begin with the demo shop: seeding it takes two seconds. */
export async function makeDemoTemplate(path: string): Promise<void> {
  const admin = connect(path, 'postgres', platformAdmin);
  await admin.unsafe(`create database ${templates.demo} template ${templates.empty} owner postgres strategy file_copy`);
  await admin.end();
  const sql = connect(path, templates.demo);
  await seedDemo(sql, join(supabaseDir, 'seeds'));
  await sql.end();
}

export type TestDatabase = {
  /** As `postgres`, who owns what the migrations made. */
  sql: Sql;
  connection: Options<Record<string, never>>;
  drop(): Promise<void>;
};

const newName = () => `test_${randomBytes(6).toString('hex')}`;

/** A fresh copy of the migrated database: empty, or the demo shop. Of its files: copying page by page takes three times as long. */
export async function newDatabase(path: string, content: keyof typeof templates = 'empty'): Promise<TestDatabase> {
  const name = newName();
  const admin = connect(path, 'postgres', platformAdmin);
  await admin.unsafe(`create database ${name} template ${templates[content]} owner postgres strategy file_copy`);
  await admin.end();
  return opened(path, name);
}

/** One in which no migration ran yet. */
export async function newEmptyDatabase(path: string): Promise<TestDatabase> {
  const name = newName();
  await createGround(path, name);
  return opened(path, name);
}

function opened(path: string, name: string): TestDatabase {
  const sql = connect(path, name);
  return {
    sql,
    connection: connectAs(path, 'postgres', name),
    async drop() {
      await sql.end();
      const admin = connect(path, 'postgres', platformAdmin);
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

function connect(path: string, database: string, user = 'postgres'): Sql {
  return postgres({ ...connectAs(path, user, database), onnotice: () => {}, max: 4 });
}
