// What there is to ask, read from what exists: a table, a request or a page that is added tomorrow is asked tomorrow.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Sql } from 'postgres';
import { supabaseDir } from '../../support/database.ts';
import type { Asker } from '../bad-input-cases.ts';

export type Row = Record<string, unknown>;
export type Column = { name: string; type: string };
export type Table = { name: string; columns: Column[]; key: string[]; related: string[]; rows: Row[] };
export type Request = {
  name: string;
  args: (Column & { required: boolean })[];
  /** The words in quotes in its source: states, fields and choices that it knows. */
  words: string[];
  callers: Asker[];
};
export type Targets = { tables: Table[]; requests: Request[]; functions: string[]; pages: string[] };

export async function readTargets(sql: Sql): Promise<Targets> {
  return {
    tables: await readTables(sql),
    requests: await readRequests(sql),
    functions: readdirSync(join(supabaseDir, 'functions')).filter((name) => !name.startsWith('_')),
    pages: readPages(),
  };
}

async function readTables(sql: Sql): Promise<Table[]> {
  const tables = await sql<Omit<Table, 'rows'>[]>`
    select c.relname as name,
      (select jsonb_agg(jsonb_build_object('name', a.attname, 'type', t.typname) order by a.attnum)
       from pg_attribute a join pg_type t on t.oid = a.atttypid
       where a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped) as columns,
      coalesce((select jsonb_agg(a.attname) from pg_index i join pg_attribute a on a.attrelid = c.oid and a.attnum = any (i.indkey)
       where i.indrelid = c.oid and i.indisprimary), '[]') as key,
      coalesce((select jsonb_agg(distinct o.relname) from pg_constraint f
       join pg_class o on o.oid = case when f.conrelid = c.oid then f.confrelid else f.conrelid end
       where f.contype = 'f' and c.oid in (f.conrelid, f.confrelid) and o.oid <> c.oid
         and o.relnamespace = 'public'::regnamespace), '[]') as related
    from pg_class c where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'v', 'm', 'p', 'f') order by 1`;
  const withRows: Table[] = [];
  for (const table of tables) {
    const newest = table.key.length > 0 ? sql`order by ctid desc` : sql``;
    const found = await sql<{ row: Row }[]>`
      (select to_jsonb(t) as row from public.${sql(table.name)} t limit 30) union all
      (select to_jsonb(t) from public.${sql(table.name)} t ${newest} limit 30)`;
    withRows.push({ ...table, rows: found.map(({ row }) => row) });
  }
  return withRows;
}

async function readRequests(sql: Sql): Promise<Request[]> {
  const found = await sql<(Omit<Request, 'words'> & { source: string })[]>`
    select p.proname as name, p.prosrc as source,
      coalesce((select jsonb_agg(jsonb_build_object('name', p.proargnames[n], 'type', t.typname,
                                                    'required', n <= p.pronargs - p.pronargdefaults) order by n)
       from unnest(p.proargtypes::oid[]) with ordinality as a (type, n) join pg_type t on t.oid = a.type), '[]') as args,
      array_remove(array[
        case when has_function_privilege('anon', p.oid, 'execute') then 'visitor' end,
        case when has_function_privilege('authenticated', p.oid, 'execute') and p.proname not like 'admin\\_%' then 'customer' end,
        case when has_function_privilege('authenticated', p.oid, 'execute') then 'administrator' end,
        case when not has_function_privilege('authenticated', p.oid, 'execute') then 'service' end], null) as callers
    from pg_proc p where p.pronamespace = 'public'::regnamespace and p.prokind = 'f' and p.prorettype <> 'trigger'::regtype
    order by 1`;
  return found.map(({ source, ...request }) => ({
    ...request,
    words: [...new Set([...source.matchAll(/'([A-Za-z][\w-]{1,24})'/g)].map(([, word]) => word as string))],
  }));
}

const root = join(supabaseDir, '..');

/** The addresses of the routes; those of the console stand below `admin`. */
function readPages(): string[] {
  const routes = readFileSync(join(root, 'app/routes.ts'), 'utf8');
  return [
    '/',
    ...[...routes.matchAll(/\broute\('([^']+)', 'routes\/(\w+)\//g)].map(([, path, part]) =>
      part === 'admin' && path !== 'admin' ? `/admin/${path}` : `/${path}`,
    ),
  ];
}
