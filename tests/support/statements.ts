import { parse, parsePlPgSQL } from 'libpg-query-18';
import type { Sql } from 'postgres';

type Node = Record<string, unknown>;

export type FunctionBody = { name: string; language: 'sql' | 'plpgsql'; definition: string; source: string };

/** The functions of our own schemas, as PostgreSQL has them after all migrations. */
export function functionBodies(sql: Sql): Promise<FunctionBody[]> {
  return sql<FunctionBody[]>`
    select p.oid::regprocedure::text as name, l.lanname as language, pg_get_functiondef(p.oid) as definition,
           coalesce(pg_get_function_sqlbody(p.oid), p.prosrc) as source
    from pg_proc p
    join pg_language l on l.oid = p.prolang and l.lanname in ('sql', 'plpgsql')
    where p.prokind in ('f', 'p')
      and p.pronamespace::regnamespace::text not in ('pg_catalog', 'information_schema', 'auth', 'storage', 'extensions')
      and not exists (select from pg_depend d where d.objid = p.oid and d.deptype = 'e')
    order by 1`;
}

/** Every SQL statement of a function's body; of dynamic SQL, what is written as a literal. */
export async function statementsOf({ language, definition, source }: FunctionBody): Promise<string[]> {
  if (language === 'sql') return [source.replace(/^\s*BEGIN ATOMIC(.*)END\s*$/s, '$1')];
  const statements: string[] = [];
  // The parser has no catalogue and takes a type it does not know for a record, an array of it too.
  const tree = await parsePlPgSQL(definition.replace(/\b(private|public)\.("[^"]+"|\w+)\[\]/g, 'text[]'));
  for (const node of nodesOf(tree)) {
    const {
      PLpgSQL_expr: expression,
      PLpgSQL_stmt_dynexecute: dynamic,
      PLpgSQL_stmt_dynfors: loop,
    } = node as {
      PLpgSQL_expr?: { query: string; parseMode: number };
      PLpgSQL_stmt_dynexecute?: { query: unknown };
      PLpgSQL_stmt_dynfors?: { query: unknown };
    };
    // Mode 0 is a statement; the others are expressions, which cannot modify data.
    if (expression?.parseMode === 0) statements.push(expression.query);
    const executed = (dynamic ?? loop)?.query as { PLpgSQL_expr: { query: string } } | undefined;
    if (executed) statements.push(...(await literalStatements(executed.PLpgSQL_expr.query)));
  }
  return statements;
}

/** The literals of an expression that are statements: `format('delete from %I', …)` gives `delete from x`. */
async function literalStatements(expression: string): Promise<string[]> {
  const found: string[] = [];
  for (const { String: text, sval } of nodesOf(await parse(`select ${expression}`))) {
    const literal = (sval as { sval?: string } | undefined)?.sval ?? (text as { sval?: string } | undefined)?.sval;
    if (literal && /\b(update|delete)\b/i.test(literal))
      found.push(literal.replace(/%(\d+\$)?[IsL]/g, 'x').replace(/%%/g, '%'));
  }
  return found;
}

/**
 * The updates and deletes of a statement that `safeupdate` refuses: those without WHERE, also inside WITH. (A join's ON is no
 * WHERE to it.)
 */
export async function withoutWhere(statement: string): Promise<string[]> {
  return [...nodesOf(await parse(statement))].flatMap((node) =>
    (['UpdateStmt', 'DeleteStmt'] as const).flatMap((kind) => {
      const found = node[kind] as { relation: { relname: string }; whereClause?: Node } | undefined;
      return found && !found.whereClause
        ? [`${kind === 'UpdateStmt' ? 'update' : 'delete from'} ${found.relation.relname}`]
        : [];
    }),
  );
}

function* nodesOf(value: unknown): Generator<Node> {
  if (typeof value !== 'object' || value === null) return;
  if (!Array.isArray(value)) yield value as Node;
  for (const child of Object.values(value)) yield* nodesOf(child);
}
