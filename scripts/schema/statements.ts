import { parse } from 'libpg-query-18';
import type { SchemaFile } from './schema-files.ts';

type Node = NonNullable<NonNullable<Awaited<ReturnType<typeof parse>>['stmts']>[number]['stmt']>;
type Relation = { schemaname?: string; relname?: string };

/** The statements of the schemas that create something, by the key that a catalogue has for it; functions without arguments. */
export async function schemaStatements(files: readonly SchemaFile[]): Promise<Map<string, string>> {
  const statements = new Map<string, string>();
  for (const { text } of files) {
    const bytes = Buffer.from(text);
    const { stmts = [] } = await parse(text);
    for (const { stmt, stmt_location: from = 0, stmt_len: length } of stmts) {
      const key = stmt && keyOf(stmt);
      const statement = bytes.subarray(from, length ? from + length : undefined).toString();
      if (key) statements.set(key, `${withoutLeadingComments(statement)};`);
    }
  }
  return statements;
}

function keyOf(node: Node): string | null {
  if ('CreateFunctionStmt' in node) {
    const names = node.CreateFunctionStmt.funcname ?? [];
    return `function ${names.map((name) => quotedId('String' in name ? name.String.sval : '')).join('.')}`;
  }
  if ('CreateStmt' in node) return `table ${quotedName(node.CreateStmt.relation)}`;
  if ('ViewStmt' in node) return `view ${quotedName(node.ViewStmt.view)}`;
  if ('CompositeTypeStmt' in node) return `type ${quotedName(node.CompositeTypeStmt.typevar)}`;
  if ('CreateTrigStmt' in node)
    return `trigger ${quotedName(node.CreateTrigStmt.relation)}.${quotedId(node.CreateTrigStmt.trigname)}`;
  if ('CreatePolicyStmt' in node)
    return `policy ${quotedName(node.CreatePolicyStmt.table)}.${quotedId(node.CreatePolicyStmt.policy_name)}`;
  if ('IndexStmt' in node)
    return `index ${quotedName({ ...node.IndexStmt.relation, relname: node.IndexStmt.idxname ?? '' })}`;
  return null;
}

const quotedName = ({ schemaname = 'public', relname }: Relation = {}) =>
  `${quotedId(schemaname)}.${quotedId(relname)}`;
const quotedId = (name = '') => (/^[a-z_][a-z0-9_$]*$/.test(name) ? name : `"${name.replaceAll('"', '""')}"`);
const withoutLeadingComments = (text: string) => text.replace(/^(\s*--.*\n|\s+)*/, '').trimEnd();
