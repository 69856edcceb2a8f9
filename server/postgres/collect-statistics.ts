import type { Sql } from 'postgres';
import { qualified } from './quoted.ts';

/** Or the first queries would be planned for empty tables, until the database looks by itself. */
export async function collectStatistics(sql: Sql): Promise<void> {
  // Only our own: of the others PostgreSQL would warn, one by one, that they belong to a superuser.
  const tables = await sql<{ schema: string; name: string }[]>`
    select n.nspname as schema, c.relname as name
    from pg_class c join pg_namespace n on n.oid = c.relnamespace
    where c.relkind in ('r', 'p') and n.nspname in ('public', 'private', 'demo', 'auth', 'storage') and pg_has_role(c.relowner, 'member')`;
  await sql.unsafe(`analyze ${tables.map(qualified).join(', ')}`);
}
