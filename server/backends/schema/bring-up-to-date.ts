import { join } from 'node:path';
import type { Options, Sql } from 'postgres';
import type { ShopConfig } from '../../config.ts';
import { provisionSystemSchemas } from '../../lite/lite.ts';
import { inWords } from '../../operations/backup/make-backup.ts';
import { isRestoreUnfinished } from '../../operations/backup/restore-marker.ts';
import { collectStatistics } from '../../postgres/collect-statistics.ts';
import { migrate } from './migrate.ts';
import {
  grantSystemSchemas,
  hasPlatformAuth,
  isDemoDatabase,
  markReal,
  prepareRoles,
  seedDemo,
} from './prepare-database.ts';

export type UpToDateOptions = {
  config: ShopConfig;
  connection: Options<Record<string, never>>;
  supabaseDir: string;
  step(message: string): void;
};

/** From nothing, or from an older version, to today's schema; with the demo shop in it where that is wanted. */
export async function bringUpToDate(
  sql: Sql,
  { config, connection, supabaseDir, step }: UpToDateOptions,
): Promise<void> {
  if (await isRestoreUnfinished(sql))
    throw new Error('A restore into this database was broken off: make a new one and restore into that.');
  await prepareRoles(sql);
  // A Supabase project has its own, which only it may change.
  if (!(await hasPlatformAuth(sql))) {
    await provisionSystemSchemas(connection);
    await grantSystemSchemas(sql);
  }
  const { applied } = await migrate(sql, supabaseDir);
  if (applied.length > 0) step(`Database migrated: ${inWords(applied.length, 'step')}`);
  const place = config.databaseUrl ? 'This database' : config.dataDir;
  if (config.demo === 'off') {
    if (await isDemoDatabase(sql))
      throw new Error(
        `${place} holds the demo shop with its invented people and orders: real sign-in, payments or mail need a new DATA_DIR (or database)`,
      );
    await markReal(sql);
    return;
  }
  if (await seedDemo(sql, join(supabaseDir, 'seeds'))) {
    await collectStatistics(sql);
    step('Demo shop filled');
  } else if (!(await isDemoDatabase(sql))) {
    // The demo sign-in accepts any account: a lost setting must not open a real shop.
    throw new Error(
      `${place} holds a real shop, but no real setting is there and the demo would open it to everybody. Set its keys again (see .env.example), or SHOP_DEMO=0`,
    );
  }
}
