import type { Sql } from 'postgres';

/** Every row that comes with the schema, by table: sorted, and without the moments at which they were written. */
export async function schemaRows(sql: Sql): Promise<Record<string, string[]>> {
  const tables = await sql<{ name: string; moments: string[] }[]>`
    select format('%I.%I', n.nspname, c.relname) as name,
      array(select a.attname::text from pg_attribute a where a.attrelid = c.oid and a.atttypid = 'timestamptz'::regtype) as moments
    from pg_class c join pg_namespace n on n.oid = c.relnamespace and n.nspname in ('public', 'private', 'storage', 'auth')
    where c.relkind = 'r' order by 1`;
  const rows: Record<string, string[]> = {};
  for (const { name, moments } of tables) {
    const found = await sql.unsafe<{ row: string }[]>(
      `select (to_jsonb(t) - $1::text[])::text as row from ${name} t order by 1`,
      [moments],
    );
    if (found.length > 0) rows[name] = found.map(({ row }) => row);
  }
  return rows;
}
