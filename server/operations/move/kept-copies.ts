// The databases that an update left behind: they are kept for a while, in case something is missed in the new one.
import type { Sql } from 'postgres';
import { quoted } from '../../postgres/quoted.ts';

const prefix = 'shop_before_update';
export const keptDays = 30;
const dayMs = 24 * 60 * 60 * 1000;

/** With the moment in its name: the database itself says when it was left. */
export function copyName(at: Date): string {
  return `${prefix}_${at.toISOString().slice(0, 19).replace(/[-:]/g, '').replace('T', '_')}`;
}

/** When a copy may be dropped; null: not a copy of ours. A copy without a moment is from before names had one. */
export function droppableFrom(name: string): Date | 'undated' | null {
  if (name === prefix) return 'undated';
  const parts = /^shop_before_update_(\d{4})(\d\d)(\d\d)_(\d\d)(\d\d)(\d\d)$/.exec(name);
  if (!parts) return null;
  const [, year, month, day, hour, minute, second] = parts;
  return new Date(Date.parse(`${year}-${month}-${day}T${hour}:${minute}:${second}Z`) + keptDays * dayMs);
}

/** Drops the copies that were kept for long enough. An undated one is kept from now on. */
export async function dropOldCopies(sql: Sql, now: Date): Promise<void> {
  const names = await sql<{ name: string }[]>`
    select datname as name from pg_database where starts_with(datname, ${prefix}) order by 1`;
  for (const { name } of names) {
    const from = droppableFrom(name);
    if (from === 'undated') await sql.unsafe(`alter database ${quoted(name)} rename to ${quoted(copyName(now))}`);
    else if (from && from <= now) await sql.unsafe(`drop database if exists ${quoted(name)} with (force)`);
  }
}
