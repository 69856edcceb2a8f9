import type { Sql } from 'postgres';
import { isPlainName } from './names.ts';

/** PostgreSQL's own name of a type; arrays begin with an underscore. */
export type PgType = string;
export type Columns = ReadonlyMap<string, PgType>;
/** A foreign key, seen from one of its two tables. */
export type Link = { constraint: string; columns: readonly string[]; target: string };
export type Relation = { name: string; columns: Columns; links: readonly Link[] };
export type Argument = { type: PgType; required: boolean };
export type Routine = {
  name: string;
  args: ReadonlyMap<string, Argument>;
  /** What can be selected and filtered of its result; null: it is one value. */
  result: Relation | null;
};
/** All that a request to the Data API can name. */
export type Catalogue = {
  relations: ReadonlyMap<string, Relation>;
  routines: ReadonlyMap<string, readonly Routine[]>;
};

type ColumnRow = { relation: string; name: string; type: string };
type LinkRow = { constraint: string; source: string; sourceColumns: string[]; target: string; targetColumns: string[] };
type RoutineRow = {
  name: string;
  args: { name: string; type: string; required: boolean }[];
  outputs: { name: string; type: string }[];
  relation: string | null;
};

/**
 * Reads what anon, authenticated and service_role (callers with the secret key) may reach in schema public. Who of them may
 * do what stays the database's decision.
 */
export async function readCatalogue(sql: Sql): Promise<Catalogue> {
  const [columns, links, routines] = await Promise.all([readColumns(sql), readLinks(sql), readRoutines(sql)]);
  return buildCatalogue(columns, links, routines);
}

export function buildCatalogue(columns: ColumnRow[], links: LinkRow[], routines: RoutineRow[]): Catalogue {
  const relations = new Map<string, { name: string; columns: Map<string, PgType>; links: Link[] }>();
  for (const { relation, name, type } of columns) {
    if (!isPlainName(relation) || !isPlainName(name)) continue;
    if (!relations.has(relation)) relations.set(relation, { name: relation, columns: new Map(), links: [] });
    relations.get(relation)?.columns.set(name, type);
  }
  for (const { constraint, source, sourceColumns, target, targetColumns } of links) {
    if (!relations.has(source) || !relations.has(target)) continue;
    relations.get(source)?.links.push({ constraint, columns: sourceColumns, target });
    relations.get(target)?.links.push({ constraint, columns: targetColumns, target: source });
  }
  const byName = new Map<string, Routine[]>();
  for (const { name, args, outputs, relation } of routines) {
    if (![name, ...args.map((arg) => arg.name)].every(isPlainName)) continue;
    const result = relation
      ? (relations.get(relation) ?? null)
      : outputs.length > 0
        ? { name, columns: new Map(outputs.map((output) => [output.name, output.type])), links: [] }
        : null;
    const routine = { name, args: new Map(args.map(({ name: arg, ...rest }) => [arg, rest])), result };
    byName.set(name, [...(byName.get(name) ?? []), routine]);
  }
  return { relations, routines: byName };
}

const readColumns = (sql: Sql) => sql<ColumnRow[]>`
  select c.relname as relation, a.attname as name, t.typname as type
  from pg_class c join pg_attribute a on a.attrelid = c.oid join pg_type t on t.oid = a.atttypid
  where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p', 'v', 'm') and not c.relispartition
    and a.attnum > 0 and not a.attisdropped
    and exists (
      select from unnest(array['anon', 'authenticated', 'service_role']) role
      where has_any_column_privilege(role, c.oid, 'select, insert, update') or has_table_privilege(role, c.oid, 'delete'))
  order by c.relname, a.attnum`;

const readLinks = (sql: Sql) => sql<LinkRow[]>`
  select f.conname as constraint, s.relname as source, t.relname as target,
    (select array_agg(a.attname::text order by k.n) from unnest(f.conkey) with ordinality k (num, n)
       join pg_attribute a on a.attrelid = f.conrelid and a.attnum = k.num) as "sourceColumns",
    (select array_agg(a.attname::text order by k.n) from unnest(f.confkey) with ordinality k (num, n)
       join pg_attribute a on a.attrelid = f.confrelid and a.attnum = k.num) as "targetColumns"
  from pg_constraint f join pg_class s on s.oid = f.conrelid join pg_class t on t.oid = f.confrelid
  where f.contype = 'f' and s.relnamespace = 'public'::regnamespace and t.relnamespace = 'public'::regnamespace
  order by f.conname`;

const readRoutines = (sql: Sql) => sql<RoutineRow[]>`
  select p.proname as name,
    coalesce((
      select jsonb_agg(jsonb_build_object('name', coalesce(p.proargnames[a.n], ''), 'type', t.typname,
                                          'required', a.n <= p.pronargs - p.pronargdefaults) order by a.n)
      from unnest(p.proargtypes::oid[]) with ordinality a (type, n) join pg_type t on t.oid = a.type), '[]') as args,
    coalesce((
      select jsonb_agg(jsonb_build_object('name', p.proargnames[o.n], 'type', t.typname) order by o.n)
      from unnest(p.proallargtypes) with ordinality o (type, n) join pg_type t on t.oid = o.type
      where p.proargmodes[o.n] in ('o', 't', 'b')), '[]') as outputs,
    (select c.relname from pg_class c
     where c.reltype = p.prorettype and c.relnamespace = 'public'::regnamespace) as relation
  from pg_proc p
  where p.pronamespace = 'public'::regnamespace and p.prokind = 'f'
    and p.prorettype not in ('trigger'::regtype, 'event_trigger'::regtype)
    and exists (
      select from unnest(array['anon', 'authenticated', 'service_role']) role
      where has_function_privilege(role, p.oid, 'execute'))
  order by p.proname`;
