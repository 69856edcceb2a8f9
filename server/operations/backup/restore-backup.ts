import { existsSync, rmSync } from 'node:fs';
import { rename } from 'node:fs/promises';
import { join } from 'node:path';
import type { Sql } from 'postgres';
import { readMigrations, versionsIn } from '../../backends/schema/migration-history.ts';
import { withSetupLock } from '../../backends/schema/prepare-database.ts';
import type { ShopConfig } from '../../config.ts';
import { syncFolder } from '../../postgres/cluster.ts';
import { lockDataDir } from '../../postgres/data-dir-lock.ts';
import { databaseAt } from '../../postgres/database-address.ts';
import { startEmbeddedPostgres } from '../../postgres/embedded-postgres.ts';
import { type Connection, withConnection } from '../../postgres/shop-database.ts';
import { saveKeysIn, saveKeysTo } from '../instance-keys.ts';
import { isWhole, type RecordHead, readRecords } from './backup-file.ts';
import { type Loaded, loadDatabase } from './load-database.ts';
import {
  isRestoreUnfinished,
  isRestoreUnfinishedIn,
  markRestored,
  markRestoring,
  sideFolder,
} from './restore-marker.ts';
import { emptyFolder, filesIn, stageFiles, stagingFolder } from './staged-files.ts';

export type RestoreOptions = { config: ShopConfig; file: string; supabaseDir: string; step(message: string): void };
export type RestoreSummary = { tables: number; rows: number; files: number; madeAt: string };

/** Restores a backup into an empty place: completely, or so that no shop starts on it. */
export async function restoreBackup(options: RestoreOptions): Promise<RestoreSummary> {
  const { config, file, supabaseDir, step } = options;
  const shop = await checkBackup(file, supabaseDir);
  step(`The backup is whole, made at ${shop.madeAt}`);
  const again =
    !config.databaseUrl && isRestoreUnfinishedIn(config.dataDir) && existsSync(stagingFolder(config.filesDir));
  if (filesIn(config.filesDir).length > 0 && !again)
    throw new Error(`${config.filesDir} holds files already: a backup is restored into an empty place.`);
  const loaded = config.databaseUrl
    ? await intoDatabase(databaseAt(config.databaseUrl), options)
    : await intoDataDir(options, again);
  const { keys: _kept, ...counted } = loaded;
  return { ...counted, madeAt: shop.madeAt };
}

/** Rejects truncated, changed and unknown backups before anything is written. */
async function checkBackup(file: string, supabaseDir: string): Promise<RecordHead & { kind: 'shop' }> {
  if (!existsSync(file)) throw new Error(`There is no file ${file}.`);
  const damaged = new Error(`${file} is not a whole backup: it was cut off or changed. Nothing was restored.`);
  if (!(await isWhole(file))) throw damaged;
  const records = readRecords(file);
  const first = await records.next();
  await records.return(undefined);
  if (first.done || first.value.head.kind !== 'shop') throw damaged;
  const known = versionsIn(await readMigrations(supabaseDir));
  const unknown = first.value.head.migrations.filter((version) => !known.has(version));
  if (unknown.length > 0) {
    throw new Error(
      `${file} was made by a newer shop (its migration ${unknown.at(-1)} is not known here): update this one first.`,
    );
  }
  return first.value.head;
}

async function intoDataDir(options: RestoreOptions, again: boolean): Promise<Loaded> {
  const { dataDir, filesDir } = options.config;
  refuseIfTaken(dataDir);
  const locked = lockDataDir(dataDir);
  if (!locked.ok) throw new Error(`Another shop is using ${dataDir}. Stop it, or set DATA_DIR to another folder.`);
  const side = sideFolder(dataDir);
  const files = stageFiles(filesDir);
  // A repeated restore recognises its own unfinished files by these.
  let isHalfway = false;
  try {
    refuseIfTaken(dataDir);
    isHalfway = again;
    emptyFolder(side, 0o711);
    files.begin();
    const server = await startEmbeddedPostgres({ dataDir: side, log: () => {} });
    const loaded = await withConnection(server.connection, (sql) =>
      loadDatabase({ ...options, sql, connection: server.connection, files }),
    ).finally(() => server.stop());
    isHalfway = true;
    await files.putInPlace(again);
    if (loaded.keys) await saveKeysIn(dataDir, loaded.keys);
    // Last: from here on it is a complete shop.
    await rename(join(side, 'postgres'), join(dataDir, 'postgres'));
    syncFolder(dataDir);
    isHalfway = false;
    return loaded;
  } finally {
    if (!isHalfway) {
      files.remove();
      rmSync(side, { recursive: true, force: true });
    }
    locked.lock.release();
  }
}

/** Keys without a database were left by an interrupted restore, or the owner wants to keep them. */
function refuseIfTaken(dataDir: string): void {
  const has = (name: string) => existsSync(join(dataDir, name));
  if (has('postgres') || (has('keys.json') && !existsSync(sideFolder(dataDir))))
    throw new Error(`${dataDir} holds a shop already: a backup is restored into an empty folder.`);
}

async function intoDatabase(connection: Connection, options: RestoreOptions): Promise<Loaded> {
  const files = stageFiles(options.config.filesDir);
  return withConnection(connection, (sql) =>
    withSetupLock(connection, async () => {
      if (await isRestoreUnfinished(sql))
        throw new Error('A restore into this database was broken off: make a new, empty one and restore into that.');
      if (!(await isEmpty(sql))) throw new Error('This database is not empty: a backup is restored into an empty one.');
      // Checked first: a restore is impossible without this permission.
      await sql.begin((transaction) => transaction.unsafe('set local session_replication_role = replica'));
      await markRestoring(sql);
      try {
        files.begin();
        const loaded = await loadDatabase({ ...options, sql, connection, files });
        await files.putInPlace(false);
        await sql.begin(async (transaction) => {
          if (loaded.keys) await saveKeysTo(transaction, loaded.keys);
          await markRestored(transaction);
        });
        return loaded;
      } finally {
        files.remove();
      }
    }),
  );
}

/** Objects of extensions are not data of a shop. */
async function isEmpty(sql: Sql): Promise<boolean> {
  const found = await sql`
    select from pg_class c join pg_namespace n on n.oid = c.relnamespace
    where n.nspname not like 'pg\\_%' and n.nspname <> 'information_schema'
      and not exists (select from pg_depend d where d.objid = c.oid and d.deptype = 'e')
    limit 1`;
  return found.length === 0;
}
