import { existsSync } from 'node:fs';
import { open, readdir } from 'node:fs/promises';
import { join, relative, sep } from 'node:path';
import type { Readable } from 'node:stream';
import type { TransactionSql } from 'postgres';
import postgres from 'postgres';
import { readKeys } from '../backend/instance-keys.ts';
import type { ShopConfig } from '../config.ts';
import type { Connection } from '../shop-database.ts';
import { encoded, type RecordHead, writeBackupFile } from './backup-file.ts';
import { isRestoreUnfinished, qualified, quoted } from './restore-marker.ts';

export type BackupSummary = { tables: number; rows: number; files: number; bytes: number };
type Table = { schema: string; name: string; columns: string[] };

// What migrations were applied is in the first record, and what realtime has not told yet nobody waits for.
const SCHEMAS_LEFT_OUT = ['supabase_migrations', 'realtime_feed', 'information_schema'];
const SAY_EVERY_ROWS = 500_000;

/** Everything a shop is made of, as it was at one moment, in one file. The shop may go on meanwhile. */
export async function makeBackup(options: {
  config: ShopConfig;
  connection: Connection;
  file: string;
  step(message: string): void;
}): Promise<BackupSummary> {
  const { config, connection, file, step } = options;
  const sql = postgres({ ...connection, max: 1, connect_timeout: 10, onnotice: () => {} });
  try {
    if (await isRestoreUnfinished(sql))
      throw new Error('A restore into this database was broken off: it holds no shop.');
    const count = { tables: 0, rows: 0, files: 0 };
    const { bytes } = await sql.begin('isolation level repeatable read, read only', async (snapshot) => {
      await snapshot.unsafe(`set local row_security = off; set local statement_timeout = 0;
        set local idle_in_transaction_session_timeout = 0`);
      return writeBackupFile(file, recordsOf(snapshot));
    });
    return { ...count, bytes };

    async function* recordsOf(snapshot: TransactionSql) {
      const migrations = await snapshot<{ version: string }[]>`
        select version from supabase_migrations.schema_migrations order by version`;
      const tables = await tablesOf(snapshot);
      yield* encoded({
        kind: 'shop',
        format: 1,
        madeAt: new Date().toISOString(),
        migrations: migrations.map((row) => row.version),
        demo: tables.some(({ schema }) => schema === 'demo'),
      });
      yield* encoded({ kind: 'keys', keys: await readKeys(snapshot, config) });
      // Soon after the snapshot: what is deleted in between is missed. What is added meanwhile does no harm.
      for await (const path of filesBelow(config.filesDir)) {
        const opened = await openFile(join(config.filesDir, path));
        if (!opened) continue;
        yield* encoded({ kind: 'file', path, modifiedMs: opened.modifiedMs }, opened.body);
        count.files += 1;
      }
      step(`${inWords(count.files, 'file')} read`);
      for (const table of tables) {
        const rows = (await snapshot.unsafe(copyOut(table)).readable()) as Readable;
        yield* encoded({ kind: 'table', ...table }, countingRows(rows, table));
        count.tables += 1;
      }
      // Sequences are outside of every snapshot; read last, they are past every row above.
      yield* encoded({ kind: 'sequences', values: await sequencesOf(snapshot) });
      yield* encoded({ kind: 'end', ...count });
      step(`${inWords(count.tables, 'table')} read, ${inWords(count.rows, 'row')}`);
    }

    /** In COPY's text a row is a line: line ends inside of values are written as \n. */
    async function* countingRows(rows: Readable, { schema, name }: Table): AsyncGenerator<Uint8Array> {
      for await (const bytes of rows as AsyncIterable<Buffer>) {
        for (let at = bytes.indexOf(0x0a); at >= 0; at = bytes.indexOf(0x0a, at + 1)) {
          count.rows += 1;
          if (count.rows % SAY_EVERY_ROWS === 0) step(`${inWords(count.rows, 'row')} so far, now in ${schema}.${name}`);
        }
        yield bytes;
      }
      // When the last rows made the driver pause, it waits for this for good.
      rows._read(0);
    }
  } finally {
    await sql.end({ timeout: 5 });
  }
}

export const inWords = (count: number, what: string): string =>
  `${count.toLocaleString('en-IN')} ${what}${count === 1 ? '' : 's'}`;

async function tablesOf(snapshot: TransactionSql): Promise<Table[]> {
  const tables = await snapshot<Table[]>`
    select n.nspname as schema, c.relname as name, array_agg(a.attname::text order by a.attnum) as columns
    from pg_class c
    join pg_namespace n on n.oid = c.relnamespace
    join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped and a.attgenerated = ''
    where c.relkind = 'r' and n.nspname not like 'pg\\_%' and n.nspname <> all (${SCHEMAS_LEFT_OUT})
      and not exists (select from pg_depend d where d.objid = c.oid and d.deptype = 'e')
    group by n.nspname, c.relname
    order by n.nspname, c.relname`;
  if (!tables.some(({ schema, name }) => schema === 'private' && name === 'instance'))
    throw Object.assign(new Error('no shop'), { code: '42P01' });
  // Nobody changes a table's columns while we read.
  await snapshot.unsafe(`lock table ${tables.map(qualified).join(', ')} in access share mode`);
  return [...tables];
}

/** The keys of an installation have a record of their own, because where they are kept differs. */
function copyOut({ schema, name, columns }: Table): string {
  const list = columns.map(quoted).join(', ');
  const table = qualified({ schema, name });
  return schema === 'private' && name === 'instance'
    ? `copy (select ${list} from ${table} where name <> 'keys') to stdout`
    : `copy ${table} (${list}) to stdout`;
}

async function sequencesOf(snapshot: TransactionSql): Promise<(RecordHead & { kind: 'sequences' })['values']> {
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

/** Uploaded files by their path below the folder, without those that are being written. */
async function* filesBelow(folder: string): AsyncGenerator<string> {
  if (!existsSync(folder)) return;
  for (const entry of await readdir(folder, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile() || /\.[0-9a-f-]{36}\.new$/.test(entry.name)) continue;
    yield relative(folder, join(entry.parentPath, entry.name)).split(sep).join('/');
  }
}

/** null when it has been deleted meanwhile. */
async function openFile(path: string): Promise<{ modifiedMs: number; body: AsyncIterable<Buffer> } | null> {
  try {
    const handle = await open(path);
    const { mtimeMs } = await handle.stat();
    return { modifiedMs: mtimeMs, body: handle.createReadStream() as AsyncIterable<Buffer> };
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw error;
  }
}
