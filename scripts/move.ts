// Moves this shop to another, empty database: npm run move -- postgres://… [folder for files]
// Into a Supabase project its files go with SUPABASE_URL and SUPABASE_SECRET_KEY of that project.
import { existsSync, realpathSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { z } from 'zod';
import { readConfig } from '../server/config.ts';
import { inWords } from '../server/operations/backup/make-backup.ts';
import type { Figure } from '../server/operations/move/figures.ts';
import {
  type FilePlace,
  filesThatStay,
  folderOfFiles,
  storageOfProject,
} from '../server/operations/move/file-places.ts';
import { moveShop } from '../server/operations/move/move-shop.ts';
import { databaseAt } from '../server/postgres/database-address.ts';
import { explainDatabaseError, withShopDatabase } from '../server/postgres/shop-database.ts';
import { fail, print } from './terminal.ts';

const usage = 'Usage: npm run move -- postgres://user:password@host:5432/database [folder for files]';
// A transaction pooler gives every statement to another session.
const TRANSACTION_POOLER_PORT = '6543';

try {
  process.exitCode = await run(process.argv.slice(2));
} catch (error) {
  process.exitCode = fail(explainDatabaseError(error as Error & { code?: string }));
}

async function run([address, folder, ...others]: string[]): Promise<number> {
  const typed = z.url({ protocol: /^postgres(ql)?$/ }).safeParse(address);
  if (!typed.success || folder?.startsWith('-') || others.length > 0) return fail(usage);
  const url = new URL(typed.data);
  if (url.port === TRANSACTION_POOLER_PORT)
    return fail('This is the address of a transaction pooler: take the direct connection, or the session pooler.');
  if (existsSync('.env')) process.loadEnvFile('.env');
  // Here they name the target: what is moved is the shop in DATA_DIR or at DATABASE_URL.
  const { SUPABASE_URL, SUPABASE_SECRET_KEY, SUPABASE_ANON_KEY: _public, ...own } = process.env;
  const read = readConfig(own);
  if (!read.ok) return fail(`Wrong setting: ${read.problem}`);
  const { config } = read;
  const files = placeOfFiles({ folder, url: SUPABASE_URL, secretKey: SUPABASE_SECRET_KEY }, config.filesDir);
  if (typeof files === 'string') return fail(files);

  const interrupted = new AbortController();
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    process.once(signal, () => {
      interrupted.abort(new Error('Broken off: nothing was moved.'));
      process.once(signal, () => process.exit(130));
    });
  }
  const from = config.databaseUrl ? 'DATABASE_URL' : config.dataDir;
  print(`Moving the shop in ${from} to ${url.hostname || 'the database'}${url.pathname}`);
  const moved = await withShopDatabase(config, (connection) =>
    moveShop({
      config,
      connection,
      target: databaseAt(typed.data),
      files,
      supabaseDir: join(import.meta.dirname, '../supabase'),
      signal: interrupted.signal,
      step: (message) => print(`  ${message}`),
    }),
  );
  print(`\n${table(moved.figures)}\n`);
  print(
    `Moved: ${inWords(moved.tables, 'table')}, ${inWords(moved.rows, 'row')}, ${inWords(moved.files, 'file')}. ` +
      (moved.kind === 'project' ? 'All users have to sign in again. ' : 'Sessions stay valid. ') +
      'Do not open the old shop again: both would send the same mails and refunds.',
  );
  return 0;
}

/** An error message where it cannot be determined. */
function placeOfFiles(
  named: { folder: string | undefined; url: string | undefined; secretKey: string | undefined },
  filesDir: string,
): FilePlace | null | string {
  const { folder, url, secretKey } = named;
  if (folder) {
    const isSame = existsSync(folder) && existsSync(filesDir) && realpathSync(folder) === realpathSync(filesDir);
    return isSame ? filesThatStay(filesDir) : folderOfFiles(resolve(folder));
  }
  if (!secretKey) return null;
  const project = z.url({ protocol: /^https?$/ }).safeParse(url);
  if (!project.success) return 'Wrong setting: SUPABASE_URL must be the address of the project whose key this is';
  return storageOfProject({ url: new URL(project.data).origin, secretKey });
}

function table(figures: readonly Figure[]): string {
  const lines = [{ what: '', here: 'here', there: 'there' }, ...figures];
  const width = Math.max(...lines.flatMap(({ here, there }) => [here.length, there.length]));
  return lines
    .map(({ what, here, there }) => `  ${what.padEnd(18)}${here.padStart(width + 2)}${there.padStart(width + 2)}`)
    .join('\n');
}
