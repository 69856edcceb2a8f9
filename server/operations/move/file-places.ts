import { createHash, randomUUID } from 'node:crypto';
import { mkdir, readFile, rename, rm, utimes, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { ISql } from 'postgres';
import { allOf, filesBelow } from '../backup/read-shop.ts';

export type MovedFile = { path: string; modifiedMs: number; bytes: Buffer };

/** A target for uploaded files; a path is `<bucket>/<name>`. */
export type FilePlace = {
  title: string;
  /** Throws if files cannot be stored there. */
  check(): Promise<void>;
  held(target: ISql): Promise<string[]>;
  put(file: MovedFile): Promise<void>;
  digest(path: string): Promise<string | null>;
  remove(paths: readonly string[]): Promise<void>;
};

export const sha256 = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex');

/** The FILES_DIR of the shop that will open on the new database. */
export function folderOfFiles(folder: string): FilePlace {
  const at = (path: string) => join(folder, path);
  return {
    title: folder,
    check: async () => void (await mkdir(folder, { recursive: true })),
    held: () => allOf(filesBelow(folder)),
    async put({ path, modifiedMs, bytes }) {
      const unfinished = `${at(path)}.${randomUUID()}.new`;
      await mkdir(dirname(unfinished), { recursive: true });
      await writeFile(unfinished, bytes, { flush: true });
      await utimes(unfinished, new Date(), new Date(modifiedMs));
      await rename(unfinished, at(path));
    },
    digest: (path) =>
      readFile(at(path)).then(sha256, (error: NodeJS.ErrnoException) => {
        if (error.code === 'ENOENT') return null;
        throw error;
      }),
    async remove(paths) {
      for (const path of paths) await rm(at(path), { force: true });
    },
  };
}

/** Both shops share a folder: nothing is copied or removed. */
export function filesThatStay(folder: string): FilePlace {
  const nothing = async () => {};
  return { ...folderOfFiles(folder), put: nothing, remove: nothing };
}

const PATIENCE_MS = 60_000;

/** The Storage of a Supabase project, with its secret key. */
export function storageOfProject(project: { url: string; secretKey: string }): FilePlace {
  const ask = async (path: string, init: RequestInit = {}): Promise<Response> => {
    const headers = { apikey: project.secretKey, authorization: `Bearer ${project.secretKey}`, ...init.headers };
    const signal = AbortSignal.timeout(PATIENCE_MS);
    return fetch(`${project.url}/storage/v1/${path}`, { ...init, headers, redirect: 'error', signal }).catch(
      (error: Error) => {
        const { code } = (error.cause ?? {}) as { code?: string };
        throw new Error(`The storage at ${project.url} does not answer (${code ?? error.name}).`, { cause: error });
      },
    );
  };
  const addressOf = (path: string) => path.split('/').map(encodeURIComponent).join('/');
  return {
    title: project.url,
    async check() {
      const { ok, status } = await ask('bucket');
      if (!ok) throw new Error(`The storage at ${project.url} answers ${status}: is this its secret key?`);
    },
    async held(target) {
      const rows = await target<{ path: string }[]>`select bucket_id || '/' || name as path from storage.objects`;
      return rows.map((row) => row.path);
    },
    async put({ path, bytes }) {
      const answer = await ask(`object/${addressOf(path)}`, {
        method: 'POST',
        // Overwrites files of an interrupted move.
        headers: { 'content-type': 'image/webp', 'x-upsert': 'true' },
        body: new Uint8Array(bytes),
      });
      if (!answer.ok) throw new Error(`${path} could not be stored: ${answer.status} ${await answer.text()}`);
    },
    async digest(path) {
      const answer = await ask(`object/${addressOf(path)}`);
      return answer.ok ? sha256(new Uint8Array(await answer.arrayBuffer())) : null;
    },
    async remove(paths) {
      for (const path of paths) {
        const [bucket = '', ...name] = path.split('/');
        await ask(`object/${encodeURIComponent(bucket)}`, {
          method: 'DELETE',
          headers: { 'content-type': 'application/json' },
          body: JSON.stringify({ prefixes: [name.join('/')] }),
        });
      }
    },
  };
}
