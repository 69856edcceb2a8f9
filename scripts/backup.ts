// Writes the whole shop into one file: npm run backup -- file
// Its database, its uploaded files and its keys, beside a running shop, on a stopped one and on DATABASE_URL.
import { existsSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { inWords, makeBackup } from '../server/operations/backup/make-backup.ts';
import { explainDatabaseError, withShopDatabase } from '../server/postgres/shop-database.ts';
import { fail, formatBytes, print, readSettings } from './terminal.ts';

try {
  process.exitCode = await run(process.argv.slice(2));
} catch (error) {
  process.exitCode = fail(explainDatabaseError(error as Error & { code?: string }));
}

async function run([named, ...others]: string[]): Promise<number> {
  if (!named || named.startsWith('-') || others.length > 0) return fail('Usage: npm run backup -- file');
  const file = resolve(named);
  if (!existsSync(dirname(file))) return fail(`There is no folder ${dirname(file)}.`);
  if (existsSync(file)) return fail(`${file} is there already: choose another name.`);
  const read = readSettings();
  if (!read.ok) return fail(`Wrong setting: ${read.problem}`);
  const { config } = read;
  if (config.hosted) return fail('This shop has a hosted backend: docs/operations.md says how to back it up.');
  // Ends what a stopped shop was started for, and leaves no half a file.
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(130));
  const step = (message: string) => print(`  ${message}`);
  const made = await withShopDatabase(config, (connection) => makeBackup({ config, connection, file, step }));
  print(
    `Backed up into ${file}: ${inWords(made.tables, 'table')}, ${inWords(made.rows, 'row')}, ` +
      `${inWords(made.files, 'file')}, ${formatBytes(made.bytes)}. ` +
      'It holds personal data and the keys of the shop, and only you may read it: keep it that way.',
  );
  return 0;
}
