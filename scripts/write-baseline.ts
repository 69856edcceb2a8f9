// Writes the baseline migration from supabase/schemas: npm run db:baseline
// Once it is released it never changes any more: what comes later is a step of its own (npm run db:diff).
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { sha256Of } from '../server/backends/schema/migration-history.ts';
import { readList } from './list-migrations.ts';
import { baselineOf } from './schema/baseline.ts';
import { supabaseDir } from './schema/schema-files.ts';
import { fail, print } from './terminal.ts';

const file = 'migrations/20261121000000_create_shop.sql';

const text = baselineOf();
const released = readList().get(file);
if (released === undefined || released === sha256Of(text)) {
  writeFileSync(join(supabaseDir, file), text);
  print(`Written: supabase/${file}, ${text.split('\n').length} lines`);
} else {
  process.exitCode = fail(
    `supabase/${file} is listed in supabase/migrations.sha256, so databases have applied it. Write what changed as a new ` +
      'migration: "npm run db:diff" prints what it must hold.',
  );
}
