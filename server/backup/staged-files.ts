import { createWriteStream, existsSync, readdirSync, rmSync } from 'node:fs';
import { mkdir, rename, utimes } from 'node:fs/promises';
import { dirname, join, resolve, sep } from 'node:path';
import { pipeline } from 'node:stream/promises';

// Inside of the folder, because that may be a volume of its own.
const SIDE = '.restoring';

/** What a file system keeps for itself, and what a restore that was broken off has left. */
export const isOfNobody = (name: string): boolean => name === SIDE || name === 'lost+found';

/** What lies in the folder of uploads and is somebody's. */
export function filesIn(folder: string): string[] {
  return existsSync(folder) ? readdirSync(folder).filter((name) => !isOfNobody(name)) : [];
}

export type StagedFiles = ReturnType<typeof stageFiles>;

/** Uploaded files that come back: aside first, and in place when all of them are there. */
export function stageFiles(folder: string) {
  const side = join(resolve(folder), SIDE);
  const remove = () => rmSync(side, { recursive: true, force: true });
  return {
    async add(path: string, modifiedMs: number, body: AsyncIterable<Buffer>): Promise<void> {
      const target = resolve(side, path);
      if (!target.startsWith(side + sep)) throw new Error('a stored file must lie below the files folder');
      await mkdir(dirname(target), { recursive: true });
      await pipeline(body, createWriteStream(target, { flush: true }));
      await utimes(target, new Date(), new Date(modifiedMs));
    },
    async putInPlace(): Promise<void> {
      if (!existsSync(side)) return;
      for (const name of readdirSync(side)) {
        // A restore that was broken off may have come as far as this.
        rmSync(join(folder, name), { recursive: true, force: true });
        await rename(join(side, name), join(folder, name));
      }
    },
    remove,
  };
}
