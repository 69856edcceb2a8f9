import type { ISql } from 'postgres';
import { qualified } from '../../postgres/quoted.ts';
import type { ShopTable } from '../backup/read-shop.ts';

/**
 * The migrations of today that make a database as old as one with these versions. All files up to its newest one: where
 * texts were rewritten, what one file made may have moved to a file that was put in between.
 */
export function versionsAsOldAs(applied: readonly string[], known: Iterable<string>): Set<string> {
  const newest = applied.reduce((latest, version) => (version > latest ? version : latest), '');
  return new Set([...known].filter((version) => version <= newest));
}

/** The tables to copy. Rows or columns for which the target has no place stop the copy: nothing is left out silently. */
export async function tablesWithAPlace(tables: readonly ShopTable[], source: ISql, target: ISql): Promise<ShopTable[]> {
  const rows = await target<{ name: string; columns: string[] }[]>`
    select format('%I.%I', table_schema, table_name) as name, array_agg(column_name::text) as columns
    from information_schema.columns where is_generated = 'NEVER' group by 1`;
  const places = new Map(rows.map(({ name, columns }) => [name, new Set(columns)]));
  const kept: ShopTable[] = [];
  for (const table of tables) {
    const [row] = await source.unsafe<{ name: string; used: boolean }[]>(
      `select format('%I.%I', $1::text, $2::text) as name, exists (select from ${qualified(table)}) as used`,
      [table.schema, table.name],
    );
    const place = places.get(row?.name ?? '');
    if (!place && !row?.used) continue;
    const missing = place ? table.columns.filter((column) => !place.has(column)) : null;
    if (missing && missing.length === 0) {
      kept.push(table);
      continue;
    }
    const what = missing ? `the columns ${missing.join(', ')} of ${row?.name}` : `the table ${row?.name}`;
    throw new Error(
      `This version of the shop has no place for ${what}. Nothing was changed: ask for help with the update.`,
    );
  }
  return kept;
}
