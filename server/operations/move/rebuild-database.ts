import type { Sql, TransactionSql } from 'postgres';
import { migrate } from '../../backends/schema/migrate.ts';
import {
  allMigrations,
  appliedMigrations,
  checkHistory,
  readMigrations,
  versionsIn,
} from '../../backends/schema/migration-history.ts';
import { collectStatistics } from '../../postgres/collect-statistics.ts';
import { quoted } from '../../postgres/quoted.ts';
import { type Connection, withConnection } from '../../postgres/shop-database.ts';
import { createEmptyTables, disableTriggers, fillTable, setSequences } from '../backup/load-database.ts';
import { inWords } from '../backup/make-backup.ts';
import { rowsOf, sequencesOf, tablesOf, withSnapshot } from '../backup/read-shop.ts';
import { tablesToCopy, versionsUpToNewest } from './earlier-shop.ts';
import { figuresOf, tableDifferences } from './figures.ts';
import { copyName, dropOldCopies, keptDays } from './kept-copies.ts';

export type RebuildOptions = {
  /** Connects as the superuser of our cluster, to create, rename and drop databases. */
  connection: Connection;
  supabaseDir: string;
  step(message: string): void;
};

const NEW = 'shop_rebuilding';

/**
 * Rebuilds a database whose migrations had other texts: a new one is created from the current files, every
 * row is copied and compared, and both are renamed in one transaction. If interrupted, the shop is as it
 * was. The old database is kept for 30 days (kept-copies.ts).
 */
export async function rebuildIfReworded({ connection, supabaseDir, step }: RebuildOptions): Promise<void> {
  const files = await readMigrations(supabaseDir);
  const database = connection.database as string;
  const at = (name: string) => ({ ...connection, database: name }) as Connection;
  const reworded = await withConnection(connection, async (sql) => {
    await sql.unsafe(`drop database if exists ${quoted(NEW)} with (force)`);
    await dropOldCopies(sql, new Date());
    return checkHistory(await appliedMigrations(sql), allMigrations(files)).reworded;
  });
  if (reworded.length === 0) return;
  step(`Updating the database: ${inWords(reworded.length, 'migration')} had another text when it was made`);
  await withConnection(connection, (sql) => sql.unsafe(`create database ${quoted(NEW)} template template0`));
  await withConnection(at(NEW), (target) =>
    withSnapshot(connection, async (snapshot) => {
      const applied = (await appliedMigrations(snapshot)).map(({ version }) => version);
      const only = versionsUpToNewest(applied, versionsIn(files));
      const tables = await tablesOf(snapshot);
      const demo = tables.some(({ schema }) => schema === 'demo');
      await createEmptyTables({ sql: target, connection: at(NEW), supabaseDir, demo, only });
      const rows = await target.begin((transaction) => copyRows(snapshot, transaction));
      await migrate(target, supabaseDir);
      await collectStatistics(target);
      step(`Database updated: ${inWords(rows, 'row')} copied and compared`);
    }),
  );
  const old = copyName(new Date());
  await withConnection(at('template1'), (sql) => exchange(sql, database, old));
  step(`The database as it was before is kept for ${keptDays} days as ${old}`);
}

async function copyRows(snapshot: TransactionSql, transaction: TransactionSql): Promise<number> {
  await disableTriggers(transaction);
  const tables = await tablesToCopy(await tablesOf(snapshot), snapshot, transaction);
  let rows = 0;
  for (const table of tables) rows += await fillTable(transaction, table, rowsOf(snapshot, table));
  await setSequences(transaction, await sequencesThere(snapshot, transaction));
  const differences = tableDifferences(await figuresOf(snapshot, tables), await figuresOf(transaction, tables));
  if (differences.length > 0)
    throw new Error(
      ['The rows of the updated database are not the same. Nothing was changed:', ...differences].join('\n  '),
    );
  return rows;
}

/** The sequences that both databases have. */
async function sequencesThere(snapshot: TransactionSql, transaction: TransactionSql) {
  const there = await transaction<
    { name: string }[]
  >`select schemaname || '.' || sequencename as name from pg_sequences`;
  const names = new Set(there.map(({ name }) => name));
  return (await sequencesOf(snapshot)).filter(({ schema, name }) => names.has(`${schema}.${name}`));
}

function exchange(sql: Sql, database: string, old: string): Promise<unknown> {
  return sql.begin(async (transaction) => {
    await transaction.unsafe(`alter database ${quoted(database)} rename to ${quoted(old)}`);
    await transaction.unsafe(`alter database ${quoted(NEW)} rename to ${quoted(database)}`);
  });
}
