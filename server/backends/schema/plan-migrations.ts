import type { Migration, MigrationFiles } from './migration-history.ts';

/** `isRun`: otherwise only recorded as applied, because the database already has everything that it creates. */
export type PlannedMigration = { migration: Migration; isRun: boolean };

/**
 * What a database lacks, in order. A new one is created by the baseline. One that was made before the baseline goes through
 * what it lacks of the history, which ends in the same schema, so the baseline is recorded without running. With `only`,
 * nothing but these versions.
 */
export function planMigrations(
  { history, migrations }: MigrationFiles,
  applied: ReadonlySet<string>,
  only?: ReadonlySet<string>,
): PlannedMigration[] {
  const [baseline, ...steps] = migrations;
  if (!baseline) return [];
  const isWanted = ({ version }: Migration) => !applied.has(version) && (only?.has(version) ?? true);
  const run = (files: Migration[]) => files.filter(isWanted).map((migration) => ({ migration, isRun: true }));
  const isOlder =
    !applied.has(baseline.version) &&
    (history.some(({ version }) => applied.has(version)) ||
      (only !== undefined && !only.has(baseline.version) && history.some(({ version }) => only.has(version))));
  if (!isOlder) return run(migrations);
  const recorded = isWanted(baseline) ? [{ migration: baseline, isRun: false }] : [];
  return [...run(history), ...recorded, ...run(steps)];
}
