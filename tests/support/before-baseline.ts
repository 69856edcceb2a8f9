import type { ISql } from 'postgres';
import {
  createHistoryTables,
  readMigrations,
  recordChecksums,
} from '../../server/backends/schema/migration-history.ts';
import { supabaseDir } from './database.ts';

/**
 * Makes a shop of today one that was made before the baseline and has every step since: the history ends in the schema of the
 * baseline (supabase/tests/schemas.test.ts), so only what is recorded differs.
 */
export async function recordHistory(sql: ISql): Promise<void> {
  const { history, migrations } = await readMigrations(supabaseDir);
  const recorded = [...history, ...migrations.slice(1)];
  await createHistoryTables(sql);
  await sql`delete from supabase_migrations.schema_migrations where version is not null`;
  await sql`delete from supabase_migrations.checksums where version is not null`;
  for (const { version, file, text } of recorded)
    await sql`insert into supabase_migrations.schema_migrations (version, name, statements)
      values (${version}, ${file.slice(15, -4)}, ${[text]})`;
  await recordChecksums(sql, recorded);
}
