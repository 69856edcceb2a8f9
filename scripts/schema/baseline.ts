import { readSchemas, type SchemaFile } from './schema-files.ts';

const UNCHECKED = 'set check_function_bodies = off;\n';

const header = `-- The whole shop, made from supabase/schemas by "npm run db:baseline": read and edit those. Comments are left out, so that
-- editing one there changes nothing here.
`;

/** One migration that creates what the schemas state. Function bodies may name what a later file creates. */
export function baselineOf(files: readonly SchemaFile[] = readSchemas()): string {
  const parts = files.map(({ path, text }) => {
    const statements = withoutComments(text.replace(UNCHECKED, '')).replace(/\n{3,}/g, '\n\n');
    return `-- ${path.replace(/^(\.\/)?schemas\//, '')}\n${statements.trim()}\n`;
  });
  return [header, UNCHECKED, ...parts, 'reset check_function_bodies;\n'].join('\n');
}

/** Without comments, except in what is quoted: bodies of functions stay as they are. */
export function withoutComments(sql: string): string {
  const pieces = /\$(\w*)\$[\s\S]*?\$\1\$|'(?:[^']|'')*'|"[^"]*"|^[ \t]*--.*\n|[ \t]*--.*$/gm;
  return sql.replace(pieces, (piece) => (/^[ \t]*--/.test(piece) ? '' : piece));
}
