import type { Sql } from 'postgres';
import { qualified } from './quoted.ts';

/**
 * Or the first queries would be planned for tables of an unknown size, until autovacuum has analyzed them. Empty tables are left
 * out: PostgreSQL takes an unknown one for ten pages and uses its indexes, but one that it knows as empty it reads whole, in
 * every session that planned a statement before the table grew.
 */
export async function collectStatistics(sql: Sql): Promise<void> {
  // Only our own: of the others PostgreSQL would warn, one by one, that they belong to a superuser.
  const tables = await sql<{ schema: string; name: string }[]>`
    select n.nspname as schema, c.relname as name
    from pg_class c join pg_namespace n on n.oid = c.relnamespace
    where c.relkind in ('r', 'p') and n.nspname in ('public', 'private', 'demo', 'auth', 'storage') and pg_has_role(c.relowner, 'member')`;
  const filled: (typeof tables)[number][] = [];
  for (const table of tables)
    if ((await sql.unsafe(`select from ${qualified(table)} limit 1`)).length > 0) filled.push(table);
  if (filled.length > 0) await sql.unsafe(`analyze ${filled.map(qualified).join(', ')}`);
}
