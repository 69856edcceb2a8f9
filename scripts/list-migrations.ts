// Writes supabase/migrations.sha256, the checksums of all migrations, in the form that `sha256sum --check` reads. New files are
// added. A committed file that was edited or removed is refused, because databases may have applied it already.
import { spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { readMigrations } from '../server/backends/schema/migration-history.ts';
import { versionAfter, versionOfPath } from './schema/new-migration.ts';
import { fail } from './terminal.ts';

const supabaseDir = join(import.meta.dirname, '../supabase');
const listFile = join(supabaseDir, 'migrations.sha256');

type Checksums = ReadonlyMap<string, string>;
export type ListedFile = { file: string; sha256: string };

export const readList = (): Checksums => checksumsIn(readFileSync(listFile, 'utf8'));

/** The list as of the last commit; without Git, as it is: then every listed file counts as committed. */
function committedList(): Checksums {
  const { status, stdout } = spawnSync('git', ['show', 'HEAD:./migrations.sha256'], {
    cwd: supabaseDir,
    encoding: 'utf8',
  });
  return status === 0 ? checksumsIn(stdout) : readList();
}

function checksumsIn(list: string): Checksums {
  const lines = list.trim().split('\n');
  return new Map(lines.map((line) => [line.slice(66), line.slice(0, 64)]));
}

/** By their folder and name, oldest first. */
export async function filesToList(): Promise<ListedFile[]> {
  const { history, migrations } = await readMigrations(supabaseDir);
  const listed = (folder: string, files: typeof history) =>
    files.map(({ file, sha256 }) => ({ file: `${folder}/${file}`, sha256 }));
  return [...listed('history', history), ...listed('migrations', migrations)];
}

/** Listed migrations that are no longer what they were. */
export function editedSince(listed: Checksums, files: readonly ListedFile[]): string[] {
  const today = new Map(files.map(({ file, sha256 }) => [file, sha256]));
  return [...listed].filter(([file, sha256]) => today.get(file) !== sha256).map(([file]) => file);
}

/** Why these files cannot be listed; null: they can. */
export function listProblem(committed: Checksums, files: readonly ListedFile[]): string | null {
  const edited = editedSince(committed, files);
  if (edited.length > 0)
    return (
      `${edited.join(', ')}: committed migrations never change, because databases may have applied them. Put the file back ` +
      'and write a new migration. If no database but your own has applied it, delete its line in ' +
      'supabase/migrations.sha256, commit that, and try again.'
    );
  const last = [...committed.keys()].map(versionOfPath).sort().at(-1) ?? '';
  const early = files.find(({ file }) => !committed.has(file) && versionOfPath(file) <= last);
  if (!early) return null;
  const renamed = early.file.replace(/\d{14}/, versionAfter(last));
  return `${early.file}: a new migration comes after the last one, ${last}. Rename it to ${renamed}.`;
}

export async function listMigrations(): Promise<number> {
  const files = await filesToList();
  const problem = listProblem(committedList(), files);
  if (problem) return fail(problem);
  writeFileSync(listFile, files.map(({ file, sha256 }) => `${sha256}  ${file}\n`).join(''));
  return 0;
}

if (import.meta.main) process.exitCode = await listMigrations();
