// Upstream: the library has storage adapters for its own command line only, and asks for one in `_storageAdapter`.
// Can go when it ships one for plain files that replaces them atomically: storage/stored-files.test.ts says what is needed.
import { createHash, randomUUID } from 'node:crypto';
import { copyFile, mkdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { dirname, join, resolve, sep } from 'node:path';
import type { App } from '@supabase/lite';

type StorageAdapter = NonNullable<App['_storageAdapter']>;

/** Keeps the bytes of uploaded files as plain files: `<root>/<bucket>/<path>`. Files are small (see storage-gate.ts). */
export function storedFiles(root: string): StorageAdapter {
  const base = resolve(root);

  function pathOf(bucket: string, key: string): string {
    const path = resolve(join(base, bucket, key));
    if (!path.startsWith(base + sep) || path.includes('\0'))
      throw new Error('a stored file must lie below the files folder');
    return path;
  }

  /** `keptAt`: where it lies for now. */
  async function describe(path: string, keptAt = path) {
    const { size, mtime, mtimeMs } = await stat(keptAt);
    const eTag = `"${createHash('sha256').update(`${path}:${size}:${mtimeMs}`).digest('base64url').slice(0, 27)}"`;
    return {
      cacheControl: 'max-age=3600',
      contentLength: size,
      size,
      mimetype: 'image/webp',
      lastModified: mtime,
      eTag,
    };
  }

  /** A reader sees the old file or the new one, never half of either. Described before others can replace or remove it. */
  async function replace(path: string, write: (temporary: string) => Promise<void>) {
    const temporary = `${path}.${randomUUID()}.new`;
    await mkdir(dirname(path), { recursive: true });
    try {
      await write(temporary);
      const described = await describe(path, temporary);
      await rename(temporary, path);
      return described;
    } catch (error) {
      await rm(temporary, { force: true });
      throw error;
    }
  }

  return {
    driver: base,
    async getObject(bucket, key, _version, headers) {
      const path = pathOf(bucket, key);
      const metadata = await describe(path);
      if (headers?.ifNoneMatch === metadata.eTag) return { httpStatusCode: 304, metadata };
      return { httpStatusCode: 200, metadata, body: await readFile(path) };
    },
    async uploadObject(bucket, key, _version, body, contentType, cacheControl) {
      const path = pathOf(bucket, key);
      const bytes =
        body instanceof Uint8Array ? body : new Uint8Array(await new Response(body as ReadableStream).arrayBuffer());
      const described = await replace(path, (temporary) => writeFile(temporary, bytes));
      return { ...described, mimetype: contentType, cacheControl };
    },
    async deleteObject(bucket, key) {
      await rm(pathOf(bucket, key), { force: true });
    },
    async deleteObjects(bucket, keys) {
      for (const key of keys) await rm(pathOf(bucket, key), { force: true });
    },
    async copyObject(sourceBucket, source, _version, targetBucket, target) {
      const path = pathOf(targetBucket, target);
      const copied = await replace(path, (temporary) => copyFile(pathOf(sourceBucket, source), temporary));
      const { eTag, lastModified } = copied;
      return { httpStatusCode: 200, eTag, lastModified };
    },
    headObject: (bucket, key) => describe(pathOf(bucket, key)),
    privateAssetUrl: async (bucket, key) => `file://${pathOf(bucket, key)}`,
  };
}
