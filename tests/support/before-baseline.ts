import type { ISql } from 'postgres';
import { createHistoryTables, readMigrations, recordChecksums } from '../../server/backend/migration-history.ts';
import { supabaseDir } from './database.ts';

/**
 * Makes a shop of today one that was made before the baseline: the history ends in the same schema
 * (supabase/tests/schemas.test.ts), so only what is recorded differs.
 */
export async function recordHistory(sql: ISql): Promise<void> {
  const { history } = await readMigrations(supabaseDir);
  await createHistoryTables(sql);
  await sql`delete from supabase_migrations.schema_migrations where version is not null`;
  await sql`delete from supabase_migrations.checksums where version is not null`;
  for (const { version, file, text } of history)
    await sql`insert into supabase_migrations.schema_migrations (version, name, statements)
      values (${version}, ${file.slice(15, -4)}, ${[text]})`;
  await recordChecksums(sql, history);
}
