// Writes supabase/database.types.ts: the Data API's schema as supabase-js reads it, from the migrated database itself.
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Sql } from 'postgres';

const file = join(import.meta.dirname, '../supabase/database.types.ts');

type Column = {
  table: string;
  kind: 'r' | 'v';
  name: string;
  type: string;
  nullable: boolean;
  optional: boolean;
  readonly: boolean;
};
type Relationship = {
  table: string;
  name: string;
  columns: string[];
  target: string;
  targetColumns: string[];
  unique: boolean;
};
type Routine = {
  name: string;
  argNames: string[] | null;
  argTypes: string[];
  argModes: string[] | null;
  defaults: number;
  returns: string;
  set: boolean;
};

// numeric arrives as a number or, where a number would not be exact, as a string: parse it at the boundary.
const scalars: Record<string, string> = {
  bool: 'boolean',
  int2: 'number',
  int4: 'number',
  int8: 'number',
  float8: 'number',
  numeric: 'number | string',
  json: 'Json',
  jsonb: 'Json',
  void: 'undefined',
};

export async function describeDatabase(sql: Sql): Promise<string> {
  const columns = await sql<Column[]>`
    select c.relname as table, c.relkind as kind, a.attname as name, t.typname as type, not a.attnotnull as nullable,
           (a.atthasdef or a.attidentity <> '' or not a.attnotnull) as optional, a.attidentity = 'a' as readonly
    from pg_attribute a join pg_class c on c.oid = a.attrelid join pg_type t on t.oid = a.atttypid
    where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'v') and a.attnum > 0 and not a.attisdropped
    order by c.relname collate "C", a.attname collate "C"`;
  const relationships = await sql<Relationship[]>`
    select c.conrelid::regclass::text as table, c.conname as name,
           (select array_agg(a.attname order by k.n) from unnest(c.conkey) with ordinality k(num, n)
              join pg_attribute a on a.attrelid = c.conrelid and a.attnum = k.num) as columns,
           r.relname as target,
           (select array_agg(a.attname order by k.n) from unnest(c.confkey) with ordinality k(num, n)
              join pg_attribute a on a.attrelid = c.confrelid and a.attnum = k.num) as "targetColumns",
           exists (select from pg_index i where i.indrelid = c.conrelid and i.indisunique
                   and (select array_agg(x order by x) from unnest(i.indkey::int2[]) x) = (select array_agg(x order by x) from unnest(c.conkey) x)) as unique
    from pg_constraint c join pg_class r on r.oid = c.confrelid
    where c.contype = 'f' and c.connamespace = 'public'::regnamespace and r.relnamespace = 'public'::regnamespace
    order by c.conname`;
  const routines = await sql<Routine[]>`
    select p.proname as name, p.proargnames as "argNames", p.proargmodes::text[] as "argModes",
           (select array_agg(t.typname order by k.n) from unnest(coalesce(p.proallargtypes, p.proargtypes::oid[])) with ordinality k(oid, n)
              join pg_type t on t.oid = k.oid) as "argTypes",
           p.pronargdefaults as defaults, r.typname as returns, p.proretset as set
    from pg_proc p join pg_type r on r.oid = p.prorettype
    where p.pronamespace = 'public'::regnamespace and p.prokind = 'f' and r.typname <> 'trigger'
    order by p.proname`;

  const relations = (kind: 'r' | 'v') =>
    [
      ...Map.groupBy(
        columns.filter((column) => column.kind === kind),
        (column) => column.table,
      ),
    ]
      .map(([name, list]) =>
        relation(
          name,
          list,
          relationships.filter((link) => link.table.replaceAll('"', '') === name),
          kind,
        ),
      )
      .join('\n');
  return `// Generated from the migrated database by scripts/generate-types.ts; a test fails when it is out of date.
export type Json = string | number | boolean | null | { [key: string]: Json | undefined } | Json[];

export type Database = {
  public: {
    Tables: {
${relations('r')}
    };
    Views: {
${relations('v')}
    };
    Functions: {
${routines.map(routine).join('\n')}
    };
    Enums: Record<never, never>;
    CompositeTypes: Record<never, never>;
  };
};
`;
}

function relation(name: string, columns: Column[], links: Relationship[], kind: 'r' | 'v'): string {
  const row = columns.map((column) => `          ${column.name}: ${nullable(column.type, column.nullable)};`);
  const written = columns.filter((column) => !column.readonly);
  const insert = written.map(
    (column) => `          ${column.name}${column.optional ? '?' : ''}: ${nullable(column.type, column.nullable)};`,
  );
  const update = written.map((column) => `          ${column.name}?: ${nullable(column.type, column.nullable)};`);
  const linked = links.map(
    (link) => `          {
            foreignKeyName: '${link.name}';
            columns: [${link.columns.map((column) => `'${column}'`).join(', ')}];
            isOneToOne: ${link.unique};
            referencedRelation: '${link.target}';
            referencedColumns: [${link.targetColumns.map((column) => `'${column}'`).join(', ')}];
          },`,
  );
  const block = (title: string, lines: string[]) => `        ${title}: {\n${lines.join('\n')}\n        };`;
  return [
    `      ${name}: {`,
    block('Row', row),
    ...(kind === 'r' ? [block('Insert', insert), block('Update', update)] : []),
    linked.length > 0 ? `        Relationships: [\n${linked.join('\n')}\n        ];` : '        Relationships: [];',
    '      };',
  ].join('\n');
}

function routine({ name, argNames, argTypes, argModes, defaults, returns, set }: Routine): string {
  const args = (argTypes ?? []).map((type, index) => ({
    type,
    name: argNames?.[index] ?? `arg${index}`,
    mode: argModes?.[index] ?? 'i',
  }));
  const inputs = args.filter((arg) => arg.mode === 'i');
  const outputs = args.filter((arg) => arg.mode === 't' || arg.mode === 'o');
  const required = inputs.length - defaults;
  const argList = inputs
    .map((arg, index) => `${arg.name}${index >= required ? '?' : ''}: ${scalar(arg.type)} | null`)
    .join('; ');
  const single =
    outputs.length > 0
      ? `{ ${outputs.map((arg) => `${arg.name}: ${scalar(arg.type)} | null`).join('; ')} }`
      : `${scalar(returns)} | null`;
  return `      ${name}: { Args: ${inputs.length > 0 ? `{ ${argList} }` : 'Record<PropertyKey, never>'}; Returns: ${set ? `(${single})[]` : single} };`;
}

function nullable(type: string, isNullable: boolean): string {
  return isNullable ? `${scalar(type)} | null` : scalar(type);
}

function scalar(type: string): string {
  if (type.startsWith('_')) return `${scalar(type.slice(1))}[]`;
  return scalars[type] ?? 'string';
}

if (import.meta.main) {
  const { withMigratedDatabase } = await import('../tests/support/database.ts');
  await withMigratedDatabase(async (sql) => {
    const text = await describeDatabase(sql);
    const before = await readFile(file, 'utf8').catch(() => '');
    await writeFile(file, text);
    process.stdout.write(before === text ? 'database.types.ts is up to date\n' : 'database.types.ts written\n');
  });
}
