import type { ISql } from 'postgres';
import { qualified } from '../../postgres/quoted.ts';
import type { ShopTable } from '../backup/read-shop.ts';

/**
 * The current migrations up to the newest applied one, which build a database of that age. All of them: where
 * texts were rewritten, a statement may have moved to a file that was inserted in between.
 */
export function versionsUpToNewest(applied: readonly string[], known: Iterable<string>): Set<string> {
  const newest = applied.reduce((latest, version) => (version > latest ? version : latest), '');
  return new Set([...known].filter((version) => version <= newest));
}

/** The tables to copy. Throws for rows or columns that the target has no table or column for: nothing is skipped silently. */
export async function tablesToCopy(tables: readonly ShopTable[], source: ISql, target: ISql): Promise<ShopTable[]> {
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
