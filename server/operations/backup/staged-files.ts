import { createWriteStream, existsSync, mkdirSync, readdirSync, rmSync } from 'node:fs';
import { mkdir, rename, utimes } from 'node:fs/promises';
import { dirname, join, resolve, sep } from 'node:path';
import { Readable } from 'node:stream';
import { finished, pipeline } from 'node:stream/promises';

// Inside of the folder, because that may be a volume of its own.
const SIDE = '.restoring';

/** Where files that come back wait; as long as it is there, their restore is not over. */
export const stagingFolder = (folder: string): string => join(resolve(folder), SIDE);

/** What a file system keeps for itself, and what a restore that was broken off has left. */
export const isOfNobody = (name: string): boolean => name === SIDE || name === 'lost+found';

/** What lies in the folder of uploads and is somebody's. */
export function filesIn(folder: string): string[] {
  return existsSync(folder) ? readdirSync(folder).filter((name) => !isOfNobody(name)) : [];
}

/** The folder itself stays, so that at no moment it looks as if nothing had been begun. */
export function emptyFolder(folder: string, mode?: number): void {
  mkdirSync(folder, { recursive: true, mode });
  for (const name of readdirSync(folder)) rmSync(join(folder, name), { recursive: true, force: true });
}

export type StagedFiles = ReturnType<typeof stageFiles>;

/** Uploaded files that come back: aside first, and in place when all of them are there. */
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
    /** `again`: what stands there is what a restore that was broken off has put there. */
    async putInPlace(again: boolean): Promise<void> {
      for (const name of readdirSync(side)) {
        if (again) rmSync(join(folder, name), { recursive: true, force: true });
        await rename(join(side, name), join(folder, name));
      }
    },
    remove: () => rmSync(side, { recursive: true, force: true }),
  };
}
