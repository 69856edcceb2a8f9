import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

export const supabaseDir = join(import.meta.dirname, '../../supabase');

export type SchemaFile = { path: string; text: string };

/** The files of supabase/schemas in the order in which they are applied: that of `schema_paths`, sorted within a pattern. */
export function readSchemas(): SchemaFile[] {
  const settings = readFileSync(join(supabaseDir, 'config.toml'), 'utf8');
  const patterns = /^schema_paths = \[(.*)\]$/m.exec(settings)?.[1]?.match(/"[^"]+"/g) ?? [];
  return patterns.flatMap((pattern) =>
    globSync(pattern.slice(1, -1), { cwd: supabaseDir })
      .sort()
      .map((path) => ({ path, text: readFileSync(join(supabaseDir, path), 'utf8') })),
  );
}
