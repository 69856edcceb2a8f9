import type { Sql } from 'postgres';
import {
  allMigrations,
  appliedMigrations,
  checkHistory,
  createHistoryTables,
  historyProblem,
  readMigrations,
  recordChecksums,
} from './migration-history.ts';
import { planMigrations } from './plan-migrations.ts';

export type MigrationResult = { applied: string[] };

/**
 * Applies what is pending, each file in its own transaction, recorded where the Supabase CLI records it, with its
 * checksum. A database whose applied migrations are not the files' is left as it is. With `only`, no others than these:
 * that is how a database becomes as old as a backup.
 */
export async function migrate(sql: Sql, supabaseDir: string, only?: ReadonlySet<string>): Promise<MigrationResult> {
  const files = await readMigrations(supabaseDir);
  const connection = await sql.reserve();
  try {
    await createHistoryTables(connection);
    const applied = await appliedMigrations(connection);
    const check = checkHistory(applied, allMigrations(files));
    const problem = historyProblem(check);
    if (problem) throw new Error(problem);
    await recordChecksums(connection, check.unrecorded);
    const pending = planMigrations(files, new Set(applied.map(({ version }) => version)), only);
    for (const { migration, isRun } of pending) {
      const { file, version, text } = migration;
      try {
        await connection.unsafe('begin').simple();
        if (isRun) await connection.unsafe(text).simple();
        await connection`insert into supabase_migrations.schema_migrations (version, name, statements)
          values (${version}, ${file.slice(15, -4)}, ${[text]})`;
        await recordChecksums(connection, [migration]);
        await connection.unsafe('commit').simple();
      } catch (error) {
        await connection.unsafe('rollback').simple();
        throw new Error(`migration ${file} failed: ${(error as Error).message}`, { cause: error });
      }
    }
    return { applied: pending.filter(({ isRun }) => isRun).map(({ migration }) => migration.file) };
  } finally {
    connection.release();
  }
}
