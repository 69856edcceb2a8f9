import type { Writable } from 'node:stream';
import { finished } from 'node:stream/promises';
import { setImmediate as turn } from 'node:timers/promises';
import type { Sql, TransactionSql } from 'postgres';
import { migrate } from '../../backends/schema/migrate.ts';
import { grantSystemSchemas, prepareRoles } from '../../backends/schema/prepare-database.ts';
import { prepareCatchers } from '../../demo/catchers.ts';
import { prepareSimulatorStore } from '../../demo/simulator-store.ts';
import { provisionSystemSchemas } from '../../lite/lite.ts';
import { collectStatistics } from '../../postgres/collect-statistics.ts';
import { qualified, quoted } from '../../postgres/quoted.ts';
import type { Connection } from '../../postgres/shop-database.ts';
import { InstanceKeys } from '../instance-keys.ts';
import { type BackupRecord, readRecords } from './backup-file.ts';
import { inWords } from './make-backup.ts';
import type { SequenceValues, ShopTable } from './read-shop.ts';
import type { StagedFiles } from './staged-files.ts';

export type Loaded = { tables: number; rows: number; files: number; keys: InstanceKeys | null };

/** Fills an empty database: applies the backup's migrations, inserts its rows, then applies the newer migrations. */
export async function loadDatabase(options: {
  sql: Sql;
  connection: Connection;
  file: string;
  supabaseDir: string;
  files: StagedFiles;
  step(message: string): void;
}): Promise<Loaded> {
  const { sql, connection, supabaseDir, file, files, step } = options;
  const records = readRecords(file);
  const first = await records.next();
  if (first.done || first.value.head.kind !== 'shop') throw new Error('the backup does not begin with a shop');
  const { migrations, demo } = first.value.head;
  await createEmptyTables({ sql, connection, supabaseDir, demo, only: new Set(migrations) });
  step('Empty tables made');

  const loaded = await sql
    .begin((transaction) => loadRecords(transaction, records))
    .finally(() => records.return(undefined));
  step(`${inWords(loaded.tables, 'table')} filled, ${inWords(loaded.rows, 'row')}`);
  const { applied } = await migrate(sql, supabaseDir);
  if (applied.length > 0) step(`Database migrated: ${inWords(applied.length, 'step')}`);
  await collectStatistics(sql);
  return loaded;

  async function loadRecords(transaction: TransactionSql, rest: AsyncIterable<BackupRecord>): Promise<Loaded> {
    await disableTriggers(transaction);
    const count: Loaded = { tables: 0, rows: 0, files: 0, keys: null };
    for await (const { head, body } of rest) {
      if (head.kind === 'keys') count.keys = InstanceKeys.nullable().parse(head.keys);
      if (head.kind === 'file') {
        await files.add(head.path, head.modifiedMs, body);
        count.files += 1;
      }
      if (head.kind === 'table') {
        count.rows += await fillTable(transaction, head, body);
        count.tables += 1;
      }
      if (head.kind === 'sequences') await setSequences(transaction, head.values);
      if (head.kind === 'end') {
        if (head.tables !== count.tables || head.rows !== count.rows || head.files !== count.files)
          throw new Error(`the backup has ${head.rows} rows, but ${count.rows} came back`);
        return count;
      }
    }
    throw new Error('the backup has no end');
  }
}

/** Creates roles, schemas and the empty tables of a shop. */
export async function createEmptyTables(options: {
  sql: Sql;
  connection: Connection;
  supabaseDir: string;
  demo: boolean;
  only?: ReadonlySet<string>;
}): Promise<void> {
  const { sql, connection } = options;
  await prepareRoles(sql);
  await provisionSystemSchemas(connection);
  await grantSystemSchemas(sql);
  await migrate(sql, options.supabaseDir, options.only);
  if (!options.demo) return;
  await prepareCatchers(sql);
  await prepareSimulatorStore(sql);
}

/** Disables triggers and checks of references in a transaction, so that rows are inserted unchanged and in any order. */
export async function disableTriggers(transaction: TransactionSql): Promise<void> {
  await transaction.unsafe('set local session_replication_role = replica; set local statement_timeout = 0');
}

export async function setSequences(transaction: TransactionSql, values: SequenceValues): Promise<void> {
  for (const { schema, name, last, called } of values)
    await transaction`select setval(${qualified({ schema, name })}::regclass, ${last}::bigint, ${called})`;
}

/** Replaces the rows that migrations inserted. Returns the number of rows. */
export async function fillTable(
  transaction: TransactionSql,
  head: Pick<ShopTable, 'schema' | 'name' | 'columns'>,
  body: AsyncIterable<Buffer>,
): Promise<number> {
  const table = qualified(head);
  try {
    await transaction.unsafe(`delete from ${table}`);
    const copy = `copy ${table} (${head.columns.map(quoted).join(', ')}) from stdin`;
    await write((await transaction.unsafe(copy).writable()) as Writable, body, transaction);
    const [counted] = await transaction.unsafe<{ rows: number }[]>(`select count(*)::float8 as rows from ${table}`);
    return counted?.rows ?? 0;
  } catch (error) {
    throw new Error(`${table} could not be filled: ${(error as Error).message}`, { cause: error });
  }
}

/** The driver does not report errors in the last rows; the next query of the transaction does. */
async function write(rows: Writable, body: AsyncIterable<Buffer>, transaction: TransactionSql): Promise<void> {
  const done = finished(rows);
  for await (const bytes of body)
    await Promise.race([done, new Promise<void>((written) => rows.write(bytes, () => written()))]);
  rows.end();
  await turn();
  await Promise.race([done, transaction`select 1`]);
}
