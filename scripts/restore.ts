// Puts a backup into an empty DATA_DIR, or an empty database at DATABASE_URL: npm run restore -- file
import { join, resolve } from 'node:path';
import { inWords } from '../server/operations/backup/make-backup.ts';
import { restoreBackup } from '../server/operations/backup/restore-backup.ts';
import { explainDatabaseError } from '../server/postgres/shop-database.ts';
import { fail, print, readSettings } from './terminal.ts';

try {
  process.exitCode = await run(process.argv.slice(2));
} catch (error) {
  process.exitCode = fail(explainDatabaseError(error as Error & { code?: string }));
}

async function run([named, ...others]: string[]): Promise<number> {
  if (!named || named.startsWith('-') || others.length > 0) return fail('Usage: npm run restore -- file');
  const read = readSettings();
  if (!read.ok) return fail(`Wrong setting: ${read.problem}`);
  const { config } = read;
  if (config.hosted) return fail('This shop has a hosted backend: docs/operations.md says how to restore it.');
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(130));
  const restored = await restoreBackup({
    config,
    file: resolve(named),
    supabaseDir: join(import.meta.dirname, '../supabase'),
    step: (message) => print(`  ${message}`),
  });
  const place = config.databaseUrl ? 'the database at DATABASE_URL' : config.dataDir;
  print(
    `Restored into ${place}, as of ${restored.madeAt}: ${inWords(restored.tables, 'table')}, ` +
      `${inWords(restored.rows, 'row')}, ${inWords(restored.files, 'file')}. Start the shop with: npm start`,
  );
  return 0;
}
