import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { ISql, Sql } from 'postgres';

// Marks an unfinished restore, so that no shop starts on it. In a data folder the new database is in a separate
// folder until everything is restored; in a database at DATABASE_URL a schema of this name marks it.
const MARKER = 'unfinished_restore';

export const sideFolder = (dataDir: string): string => join(dataDir, 'restoring');

export function isRestoreUnfinishedIn(dataDir: string): boolean {
  return existsSync(sideFolder(dataDir)) && !existsSync(join(dataDir, 'postgres'));
}

export async function isRestoreUnfinished(sql: Sql): Promise<boolean> {
  return (await sql`select from pg_namespace where nspname = ${MARKER}`).length > 0;
}

export async function markRestoring(sql: Sql): Promise<void> {
  await sql.unsafe(`create schema ${MARKER}`);
}

export async function markRestored(sql: ISql): Promise<void> {
  await sql.unsafe(`drop schema ${MARKER}`);
}
