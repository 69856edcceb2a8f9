// A new file in supabase/migrations. Versions count on from the last one: they order the files and are not dates.
export type NewMigration = { ok: true; file: string } | { ok: false; problem: string };

/** `name` as `add_serves_to_products`; `files`: the names of the migrations there are. */
export function newMigration(name: string, files: readonly string[]): NewMigration {
  if (!/^[a-z][a-z0-9_]*$/.test(name))
    return { ok: false, problem: `“${name}” is no name: write what the migration does, as add_serves_to_products.` };
  const same = files.find((file) => file.slice(15) === `${name}.sql`);
  if (same)
    return {
      ok: false,
      problem: `${same} exists. If it is not committed yet, delete it and try again; otherwise choose another name.`,
    };
  const last = files.map(versionOfPath).sort().at(-1) ?? '';
  return { ok: true, file: `${versionAfter(last)}_${name}.sql` };
}

/** Bodies of functions may name what a later statement creates. */
export const migrationText = (name: string, steps: readonly string[]): string =>
  `-- ${name[0]?.toUpperCase()}${name.slice(1).replaceAll('_', ' ')}.\nset check_function_bodies = off;\n\n${steps.join('\n\n')}\n`;

export const versionAfter = (version: string): string => String(Number(version) + 1000);
export const versionOfPath = (path: string): string => /\d{14}/.exec(path)?.[0] ?? '';
