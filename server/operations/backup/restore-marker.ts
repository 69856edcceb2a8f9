import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { ISql, Sql } from 'postgres';

// What is half restored must not be taken for a shop. In a data folder the new database stands aside, in a folder of its
// own, until everything is there; in a database of somebody else's a schema of this name says so.
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
