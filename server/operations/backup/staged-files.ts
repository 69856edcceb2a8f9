import { createWriteStream, existsSync, mkdirSync, readdirSync, rmSync } from 'node:fs';
import { mkdir, rename, utimes } from 'node:fs/promises';
import { dirname, join, resolve, sep } from 'node:path';
import { Readable } from 'node:stream';
import { finished, pipeline } from 'node:stream/promises';

// Inside the folder, because that may be a volume of its own.
const SIDE = '.restoring';

/** Folder of restored files until all are there; while it exists, the restore is unfinished. */
export const stagingFolder = (folder: string): string => join(resolve(folder), SIDE);

/** Files of the file system itself, and those of an interrupted restore. */
export const isOfNobody = (name: string): boolean => name === SIDE || name === 'lost+found';

/** The uploaded files in the folder. */
export function filesIn(folder: string): string[] {
  return existsSync(folder) ? readdirSync(folder).filter((name) => !isOfNobody(name)) : [];
}

/** Empties the folder without removing it, so that it still marks an unfinished restore. */
export function emptyFolder(folder: string, mode?: number): void {
  mkdirSync(folder, { recursive: true, mode });
  for (const name of readdirSync(folder)) rmSync(join(folder, name), { recursive: true, force: true });
}

export type StagedFiles = ReturnType<typeof stageFiles>;

/** Restores uploaded files: into a staging folder first, moved into place once all are there. */
export function stageFiles(folder: string) {
  const side = stagingFolder(folder);
  return {
    begin: () => emptyFolder(side),
    async add(path: string, modifiedMs: number, body: AsyncIterable<Buffer>): Promise<void> {
      const target = resolve(side, path);
      if (!target.startsWith(side + sep)) throw new Error('a stored file must lie below the files folder');
      if (isOfNobody(path.split('/')[0] ?? '')) return finished(Readable.from(body).resume());
      await mkdir(dirname(target), { recursive: true });
      await pipeline(body, createWriteStream(target, { flush: true }));
      await utimes(target, new Date(), new Date(modifiedMs));
    },
    /** `again`: the existing files are those of an interrupted restore. */
    async putInPlace(again: boolean): Promise<void> {
      for (const name of readdirSync(side)) {
        if (again) rmSync(join(folder, name), { recursive: true, force: true });
        await rename(join(side, name), join(folder, name));
      }
    },
    remove: () => rmSync(side, { recursive: true, force: true }),
  };
}
