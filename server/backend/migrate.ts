import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Sql } from 'postgres';

export type MigrationResult = { applied: string[] };

/**
 * Applies what is pending, each file in its own transaction, recorded where the Supabase CLI records it. With `only`, no
 * others than these: that is how a database becomes as old as a backup.
 */
export async function migrate(sql: Sql, migrationsDir: string, only?: ReadonlySet<string>): Promise<MigrationResult> {
  const files = await migrationFiles(migrationsDir);
  const connection = await sql.reserve();
  try {
    await connection`create schema if not exists supabase_migrations`;
    await connection`create table if not exists supabase_migrations.schema_migrations (
      version text primary key, statements text[], name text)`;
    const rows = await connection<{ version: string }[]>`select version from supabase_migrations.schema_migrations`;
    const done = new Set(rows.map((row) => row.version));
    const pending = files.filter((name) => !done.has(versionOf(name)) && (only?.has(versionOf(name)) ?? true));
    for (const name of pending) {
      const text = await readFile(join(migrationsDir, name), 'utf8');
      try {
        await connection.unsafe('begin').simple();
        await connection.unsafe(text).simple();
        await connection`insert into supabase_migrations.schema_migrations (version, name, statements)
          values (${versionOf(name)}, ${name.slice(15, -4)}, ${[text]})`;
        await connection.unsafe('commit').simple();
      } catch (error) {
        await connection.unsafe('rollback').simple();
        throw new Error(`migration ${name} failed: ${(error as Error).message}`, { cause: error });
      }
    }
    return { applied: pending };
  } finally {
    connection.release();
  }
}

export async function knownVersions(migrationsDir: string): Promise<Set<string>> {
  return new Set((await migrationFiles(migrationsDir)).map(versionOf));
}

/** By age, oldest first. */
export async function migrationFiles(migrationsDir: string): Promise<string[]> {
  return (await readdir(migrationsDir)).filter((name) => /^\d{14}_\w+\.sql$/.test(name)).sort();
}

function versionOf(fileName: string): string {
  return fileName.slice(0, 14);
}
