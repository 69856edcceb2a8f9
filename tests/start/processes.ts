import { existsSync, readFileSync, readlinkSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import postgres, { type Sql } from 'postgres';
import { allProcesses, type Running } from '../support/process-tree.ts';

/** What runs on a data folder, by command line or working folder: PostgreSQL and its helpers, and initdb. */
export function processesOn(dataDir: string): Running[] {
  return allProcesses().filter(({ pid, command }) => {
    return pid !== process.pid && (command.includes(dataDir) || workingFolder(pid).startsWith(dataDir));
  });
}

function workingFolder(pid: number): string {
  try {
    return readlinkSync(`/proc/${pid}/cwd`);
  } catch {
    return ''; // it has ended, or the system has no /proc
  }
}

export const socketDirOf = (dataDir: string): string =>
  readFileSync(join(dataDir, 'postgres-socket-dir'), 'utf8').trim();

/** What a shop printed, without the log of requests. */
export const told = (output: string): string[] =>
  output.split('\n').filter((line) => line !== '' && !line.startsWith('{'));

/** What a stopped shop left: processes on its folder and the folder of its socket. Normally nothing. */
export function leftoversOf(dataDir: string): string[] {
  const record = join(dataDir, 'postgres-socket-dir');
  const socketDir = existsSync(record) ? socketDirOf(dataDir) : '';
  return [...processesOn(dataDir).map(({ command }) => command), ...(existsSync(socketDir) ? [socketDir] : [])];
}

/** The database of a running shop, as its owner sees it. */
export async function withSql<T>(dataDir: string, use: (sql: Sql) => Promise<T>): Promise<T> {
  const path = join(socketDirOf(dataDir), '.s.PGSQL.5432');
  const sql = postgres({ path, user: 'postgres', database: 'postgres', max: 1, onnotice: () => {} });
  try {
    return await use(sql);
  } finally {
    await sql.end({ timeout: 5 });
  }
}

/** What the demo shop holds once it is whole; equal before and after means that nothing was lost or filled twice. */
export function demoCounts(sql: Sql) {
  return sql`
    select (select count(*)::int from public."Products") as products, (select count(*)::int from public.orders) as orders,
      (select count(*)::int from public.testimonials) as testimonials,
      (select count(*)::int from public.stock_movements) as movements,
      (select count(*)::int from private.instance where name = 'demo') as seeded,
      (select count(*)::int from supabase_migrations.schema_migrations) as migrations,
      (select count(*)::int from public.check_invariants()) as violations`.then(([row]) => row);
}

export async function eventually(isTrue: () => boolean | Promise<boolean>, what: string, withinMs = 20_000) {
  const deadline = Date.now() + withinMs;
  while (!(await isTrue())) {
    if (Date.now() > deadline) throw new Error(`not within ${withinMs} ms: ${what}`);
    await sleep(20);
  }
}
