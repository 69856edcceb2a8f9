import { join } from 'node:path';
import type { TransactionSql } from 'postgres';
import type { ShopConfig } from '../../config.ts';
import type { Connection } from '../../postgres/shop-database.ts';
import { readKeys } from '../instance-keys.ts';
import { encoded, writeBackupFile } from './backup-file.ts';
import {
  appliedVersions,
  filesBelow,
  openFile,
  rowsOf,
  type ShopTable,
  sequencesOf,
  tablesOf,
  withSnapshot,
} from './read-shop.ts';

export type BackupSummary = { tables: number; rows: number; files: number; bytes: number };

const PROGRESS_EVERY_ROWS = 500_000;

/** Writes a snapshot of a shop, database and files, into one file. The shop may be running. */
export async function makeBackup(options: {
  config: ShopConfig;
  connection: Connection;
  file: string;
  step(message: string): void;
}): Promise<BackupSummary> {
  const { config, connection, file, step } = options;
  const count = { tables: 0, rows: 0, files: 0 };
  const { bytes } = await withSnapshot(connection, (snapshot) => writeBackupFile(file, recordsOf(snapshot)));
  return { ...count, bytes };

  async function* recordsOf(snapshot: TransactionSql) {
    const migrations = await appliedVersions(snapshot);
    const tables = await tablesOf(snapshot);
    yield* encoded({
      kind: 'shop',
      format: 1,
      madeAt: new Date().toISOString(),
      migrations,
      demo: tables.some(({ schema }) => schema === 'demo'),
    });
    yield* encoded({ kind: 'keys', keys: await readKeys(snapshot, config) });
    // Read soon after the snapshot: files deleted in between are missing. Added ones do no harm.
    for await (const path of filesBelow(config.filesDir)) {
      const opened = await openFile(join(config.filesDir, path));
      if (!opened) continue;
      yield* encoded({ kind: 'file', path, modifiedMs: opened.modifiedMs }, opened.body);
      count.files += 1;
    }
    step(`${inWords(count.files, 'file')} read`);
    for (const table of tables) {
      yield* encoded({ kind: 'table', ...table }, countingRows(rowsOf(snapshot, table), table));
      count.tables += 1;
    }
    yield* encoded({ kind: 'sequences', values: await sequencesOf(snapshot) });
    yield* encoded({ kind: 'end', ...count });
    step(`${inWords(count.tables, 'table')} read, ${inWords(count.rows, 'row')}`);
  }

  /** Counts lines: COPY's text has one line per row, with line ends inside values escaped. */
  async function* countingRows(rows: AsyncIterable<Buffer>, { schema, name }: ShopTable): AsyncGenerator<Uint8Array> {
    for await (const bytes of rows) {
      for (let at = bytes.indexOf(0x0a); at >= 0; at = bytes.indexOf(0x0a, at + 1)) {
        count.rows += 1;
        if (count.rows % PROGRESS_EVERY_ROWS === 0)
          step(`${inWords(count.rows, 'row')} so far, now in ${schema}.${name}`);
      }
      yield bytes;
    }
  }
}

export const inWords = (count: number, what: string): string =>
  `${count.toLocaleString('en-IN')} ${what}${count === 1 ? '' : 's'}`;
