// Writes supabase/migrations.sha256, the checksums of all migrations, in the form that `sha256sum --check` reads.
// New files are added; a listed file that was edited or removed is refused, because databases have applied it already.
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { readMigrations } from '../server/backends/schema/migration-history.ts';

const supabaseDir = join(import.meta.dirname, '../supabase');
const listFile = join(supabaseDir, 'migrations.sha256');

type Checksums = ReadonlyMap<string, string>;
export type ListedFile = { file: string; sha256: string };

export function readList(): Checksums {
  const lines = readFileSync(listFile, 'utf8').trim().split('\n');
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

export async function listMigrations(): Promise<void> {
  const files = await filesToList();
  const edited = editedSince(readList(), files);
  if (edited.length > 0)
    throw new Error(
      `${edited.join(', ')}: applied migrations never change. Put the file back and write a new migration.`,
    );
  writeFileSync(listFile, files.map(({ file, sha256 }) => `${sha256}  ${file}\n`).join(''));
}

if (import.meta.main) await listMigrations();
