import { existsSync } from 'node:fs';
import { open, readdir } from 'node:fs/promises';
import { join, relative, sep } from 'node:path';
import type { Readable } from 'node:stream';
import type { TransactionSql } from 'postgres';
import postgres from 'postgres';
import { qualified, quoted } from '../../postgres/quoted.ts';
import type { Connection } from '../../postgres/shop-database.ts';
import type { RecordHead } from './backup-file.ts';
import { isRestoreUnfinished } from './restore-marker.ts';
import { isOfNobody } from './staged-files.ts';

/** `values`: the expression to read for a column, if it is not the column itself. */
export type ShopTable = { schema: string; name: string; columns: string[]; values?: string[] };
export type SequenceValues = (RecordHead & { kind: 'sequences' })['values'];

// Applied migrations are read separately; undelivered realtime changes are not needed.
const SCHEMAS_LEFT_OUT = ['supabase_migrations', 'realtime_feed', 'information_schema'];

/** Reads a shop in one snapshot, unaffected by concurrent changes. */
export async function withSnapshot<T>(
  connection: Connection,
  use: (snapshot: TransactionSql) => Promise<T>,
): Promise<T> {
  const sql = postgres({ ...connection, max: 1, connect_timeout: 10, onnotice: () => {} });
  try {
    if (await isRestoreUnfinished(sql))
      throw new Error('A restore into this database was broken off: it holds no shop.');
    return (await sql.begin('isolation level repeatable read, read only', async (snapshot) => {
      await snapshot.unsafe(`set local row_security = off; set local statement_timeout = 0;
        set local idle_in_transaction_session_timeout = 0`);
      return use(snapshot);
    })) as T;
  } finally {
    await sql.end({ timeout: 5 });
  }
}

export async function appliedVersions(snapshot: TransactionSql): Promise<string[]> {
  const rows = await snapshot<{ version: string }[]>`
    select version from supabase_migrations.schema_migrations order by version`;
  return rows.map((row) => row.version);
}

/** Without unlogged tables, which a crash empties anyway. */
export async function tablesOf(snapshot: TransactionSql): Promise<ShopTable[]> {
  const tables = await snapshot<ShopTable[]>`
    select n.nspname as schema, c.relname as name, array_agg(a.attname::text order by a.attnum) as columns
    from pg_class c
    join pg_namespace n on n.oid = c.relnamespace
    join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped and a.attgenerated = ''
    where c.relkind = 'r' and c.relpersistence = 'p' and n.nspname not like 'pg\\_%' and n.nspname <> all (${SCHEMAS_LEFT_OUT})
      and not exists (select from pg_depend d where d.objid = c.oid and d.deptype = 'e')
    group by n.nspname, c.relname
    order by n.nspname, c.relname`;
  if (!tables.some(({ schema, name }) => schema === 'private' && name === 'instance'))
    throw Object.assign(new Error('no shop'), { code: '42P01' });
  // Locked, so that no migration changes columns while we read.
  await snapshot.unsafe(`lock table ${tables.map(qualified).join(', ')} in access share mode`);
  return [...tables];
}

/** The output of COPY for a table, row by row. */
export async function* rowsOf(snapshot: TransactionSql, table: ShopTable): AsyncGenerator<Buffer> {
  const rows = (await snapshot.unsafe(`copy (${selectFrom(table)}) to stdout`).readable()) as Readable;
  yield* rows as AsyncIterable<Buffer>;
  // The driver stays paused if the last rows paused it.
  rows._read(0);
}

/** Keys of an installation are read separately, because their place differs. */
export function selectFrom({ schema, name, columns, values }: ShopTable): string {
  const list = columns.map((column, index) => (values ? `${values[index]} as ${quoted(column)}` : quoted(column)));
  const from = `select ${list.join(', ')} from ${qualified({ schema, name })}`;
  return schema === 'private' && name === 'instance' ? `${from} where name <> 'keys'` : from;
}

/** Sequences are not part of a snapshot; read last, their values are above those of all rows. */
export async function sequencesOf(snapshot: TransactionSql): Promise<SequenceValues> {
  const sequences = await snapshot<{ schema: string; name: string }[]>`
    select schemaname as schema, sequencename as name from pg_sequences
    where schemaname <> all (${SCHEMAS_LEFT_OUT}) order by 1, 2`;
  const values = [];
  for (const sequence of sequences) {
    const [row] = await snapshot.unsafe<{ last: string; called: boolean }[]>(
      `select last_value::text as last, is_called as called from ${qualified(sequence)}`,
    );
    if (row) values.push({ ...sequence, ...row });
  }
  return values;
}

/** Uploaded files by their path below the folder (`<bucket>/<name>`), without unfinished ones. */
export async function* filesBelow(folder: string): AsyncGenerator<string> {
  if (!existsSync(folder)) return;
  for (const bucket of await readdir(folder, { withFileTypes: true })) {
    if (!bucket.isDirectory() || isOfNobody(bucket.name)) continue;
    for (const entry of await readdir(join(folder, bucket.name), { recursive: true, withFileTypes: true })) {
      if (!entry.isFile() || /\.[0-9a-f-]{36}\.new$/.test(entry.name)) continue;
      yield relative(folder, join(entry.parentPath, entry.name)).split(sep).join('/');
    }
  }
}

export async function allOf<T>(items: AsyncIterable<T>): Promise<T[]> {
  const all: T[] = [];
  for await (const item of items) all.push(item);
  return all;
}

/** null if it has been deleted since it was listed. */
export async function openFile(path: string): Promise<{ modifiedMs: number; body: AsyncIterable<Buffer> } | null> {
  try {
    const handle = await open(path);
    const { mtimeMs } = await handle.stat();
    return { modifiedMs: mtimeMs, body: handle.createReadStream() as AsyncIterable<Buffer> };
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw error;
  }
}
