// Old databases of an update, kept for a while in case the new one lacks something.
import type { Sql } from 'postgres';
import { quoted } from '../../postgres/quoted.ts';

const prefix = 'shop_before_update';
export const keptDays = 30;
const dayMs = 24 * 60 * 60 * 1000;

/** Its name contains the time of the update. */
export function copyName(at: Date): string {
  return `${prefix}_${at.toISOString().slice(0, 19).replace(/[-:]/g, '').replace('T', '_')}`;
}

/** When a copy may be dropped; null: not one of our copies. Copies of earlier versions have no time in their name. */
export function droppableFrom(name: string): Date | 'undated' | null {
  if (name === prefix) return 'undated';
  const parts = /^shop_before_update_(\d{4})(\d\d)(\d\d)_(\d\d)(\d\d)(\d\d)$/.exec(name);
  if (!parts) return null;
  const [, year, month, day, hour, minute, second] = parts;
  return new Date(Date.parse(`${year}-${month}-${day}T${hour}:${minute}:${second}Z`) + keptDays * dayMs);
}

/** Drops expired copies. Those without a time start to expire now. */
export async function dropOldCopies(sql: Sql, now: Date): Promise<void> {
  const names = await sql<{ name: string }[]>`
    select datname as name from pg_database where starts_with(datname, ${prefix}) order by 1`;
  for (const { name } of names) {
    const from = droppableFrom(name);
    if (from === 'undated') await sql.unsafe(`alter database ${quoted(name)} rename to ${quoted(copyName(now))}`);
    else if (from && from <= now) await sql.unsafe(`drop database if exists ${quoted(name)} with (force)`);
  }
}
