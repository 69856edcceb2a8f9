import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { ISql } from 'postgres';

export type Migration = { file: string; version: string; text: string; sha256: string };
/** What a database has recorded of a migration. */
export type AppliedMigration = {
  version: string;
  /**
   * `recordedChecksum` of the statements, which is compared where there is no `sha256`, and null elsewhere: every start
   * would read and hash the whole schema.
   */
  recorded: string | null;
  sha256: string | null;
};

export type HistoryCheck = {
  /** Files that were edited after this database had recorded their checksum. */
  edited: Migration[];
  /** Files that this database, made before there were checksums, applied in an earlier wording. */
  reworded: Migration[];
  /** Applied as they are today, with no checksum recorded yet. */
  unrecorded: Migration[];
};

/** Every migration there is, oldest first. */
export type MigrationFiles = {
  /** What made a database before there was a baseline. Closed: nothing is added to it. */
  history: Migration[];
  /** The baseline, which creates the whole shop, then the steps since. */
  migrations: Migration[];
};

export async function readMigrations(supabaseDir: string): Promise<MigrationFiles> {
  const [history, migrations] = await Promise.all([
    readFolder(join(supabaseDir, 'history')),
    readFolder(join(supabaseDir, 'migrations')),
  ]);
  return { history, migrations };
}

async function readFolder(folder: string): Promise<Migration[]> {
  const names = await readdir(folder).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return [];
    throw error;
  });
  const files = names.filter((name) => /^\d{14}_\w+\.sql$/.test(name)).sort();
  return Promise.all(
    files.map(async (file) => {
      const text = await readFile(join(folder, file), 'utf8');
      return { file, version: versionOf(file), text, sha256: sha256Of(text) };
    }),
  );
}

export const allMigrations = ({ history, migrations }: MigrationFiles): Migration[] => [...history, ...migrations];

export const versionsIn = (files: MigrationFiles): Set<string> =>
  new Set(allMigrations(files).map(({ version }) => version));

/** Beside the Supabase CLI's own table, whose columns belong to the CLI. */
export async function createHistoryTables(sql: ISql): Promise<void> {
  await sql`create schema if not exists supabase_migrations`;
  await sql`create table if not exists supabase_migrations.schema_migrations (
    version text primary key, statements text[], name text)`;
  await sql`create table if not exists supabase_migrations.checksums (version text primary key, sha256 text not null)`;
}

export async function appliedMigrations(sql: ISql): Promise<AppliedMigration[]> {
  const [there] = await sql<{ history: boolean; checksums: boolean }[]>`
    select to_regclass('supabase_migrations.schema_migrations') is not null as history,
      to_regclass('supabase_migrations.checksums') is not null as checksums`;
  if (!there?.history) return [];
  const rows = there.checksums
    ? await sql<RecordedRow[]>`
        select m.version, c.sha256, case when c.sha256 is null then m.statements end as statements
        from supabase_migrations.schema_migrations m left join supabase_migrations.checksums c using (version)
        order by m.version`
    : await sql<RecordedRow[]>`
        select version, null as sha256, statements from supabase_migrations.schema_migrations order by version`;
  return rows.map(({ version, statements, sha256 }) => ({
    version,
    recorded: statements && recordedChecksum(statements),
    sha256,
  }));
}

type RecordedRow = { version: string; sha256: string | null; statements: string[] | null };

/** Compares what a database has applied with the files of this version. Versions without a file here are left alone. */
export function checkHistory(applied: readonly AppliedMigration[], files: readonly Migration[]): HistoryCheck {
  const byVersion = new Map(applied.map((one) => [one.version, one]));
  const check: HistoryCheck = { edited: [], reworded: [], unrecorded: [] };
  for (const file of files) {
    const had = byVersion.get(file.version);
    if (!had || had.sha256 === file.sha256) continue;
    if (had.sha256 !== null) check.edited.push(file);
    else if (had.recorded !== null && had.recorded !== recordedChecksum([file.text])) check.reworded.push(file);
    else check.unrecorded.push(file);
  }
  return check;
}

export async function recordChecksums(sql: ISql, migrations: readonly Migration[]): Promise<void> {
  for (const { version, sha256 } of migrations)
    await sql`insert into supabase_migrations.checksums (version, sha256) values (${version}, ${sha256})
      on conflict (version) do update set sha256 = excluded.sha256`;
}

/** What the owner reads when applied migrations are not what the files say; null when all is well. */
export function historyProblem({ edited, reworded }: HistoryCheck): string | null {
  if (edited.length > 0)
    return (
      `${named(edited)} was edited after it was applied to this database. Applied migrations never change: put back ` +
      'the file as it was released, and write the change as a new migration. Nothing was changed.'
    );
  if (reworded.length > 0)
    return (
      `This database was made by an earlier version of the shop, in which ${named(reworded)} had another text. Make an ` +
      'empty database, run "npm run move" into it and set DATABASE_URL to it: every row comes along. Nothing was changed.'
    );
  return null;
}

export function named(migrations: readonly Migration[]): string {
  const [first, ...others] = migrations;
  const more = others.length > 0 ? ` (and ${others.length} more)` : '';
  return `Migration ${first?.file}${more}`;
}

/**
 * Of a migration as it is recorded, which we do as one text, and the Supabase CLI as statements without the semicolons and the
 * space between them: neither counts. `schema_checksums()` computes the same.
 */
export const recordedChecksum = (statements: readonly string[]): string =>
  sha256Of(statements.join('').replace(/[ \t\r\n;]+/g, ''));

export const versionOf = (file: string): string => file.slice(0, 14);
export const sha256Of = (text: string): string => createHash('sha256').update(text).digest('hex');
