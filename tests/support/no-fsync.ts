import type { Sql } from 'postgres';

/**
 * What a test throws away need not survive a power cut: no commit waits for the disk any more. Nothing else changes, so
 * even a killed server finds all of it again. Tests of durability keep the shop's own settings.
 */
export async function turnOffFsync(sql: Sql): Promise<void> {
  await sql`alter system set fsync = off`;
  await sql`alter system set full_page_writes = off`;
  await sql`select pg_reload_conf()`;
}
