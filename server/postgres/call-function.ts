import type { Sql } from 'postgres';
import { quoted } from './quoted.ts';

/** Calls a SQL function of schema public by its named arguments, as the Data API would; for functions that return one value. */
export async function callFunction(sql: Sql, name: string, args: Record<string, unknown>): Promise<unknown> {
  const list = Object.keys(args).map((key, index) => `${quoted(key)} => $${index + 1}`);
  const rows = await sql.unsafe<{ result: unknown }[]>(
    `select to_jsonb(result) as result from public.${quoted(name)}(${list.join(', ')}) as result`,
    Object.values(args) as never[],
    { prepare: true },
  );
  return rows[0]?.result;
}
