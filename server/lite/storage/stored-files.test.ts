import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { storedFiles } from './stored-files.ts';

let folder: string;
let files: ReturnType<typeof storedFiles>;
const bytes = (text: string) => new TextEncoder().encode(text);
const upload = (key: string, text: string) =>
  files.uploadObject('products', key, undefined, bytes(text), 'image/webp', 'no-cache');
async function contentOf(key: string): Promise<string> {
  const { body } = await files.getObject('products', key, undefined);
  return new TextDecoder().decode(body as Uint8Array);
}

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'mithaas-files-'));
  files = storedFiles(join(folder, 'files'));
  await writeFile(join(folder, 'keys.json'), 'secret');
});
afterEach(() => rm(folder, { recursive: true, force: true }));

test('a file is kept below its bucket, replaced, copied and removed', async () => {
  const stored = await upload('a/b.webp', 'one');
  expect(stored).toMatchObject({ size: 3, mimetype: 'image/webp', cacheControl: 'no-cache' });
  expect(await readFile(join(folder, 'files/products/a/b.webp'), 'utf8')).toBe('one');
  await upload('a/b.webp', 'second');
  expect(await contentOf('a/b.webp')).toBe('second');
  await files.copyObject('products', 'a/b.webp', undefined, 'banners', 'c.webp', undefined);
  expect(await readFile(join(folder, 'files/banners/c.webp'), 'utf8')).toBe('second');
  await files.deleteObject('products', 'a/b.webp', undefined);
  await expect(contentOf('a/b.webp')).rejects.toThrow();
  await files.deleteObjects('banners', ['c.webp', 'never-there.webp']);
  expect(await readdir(join(folder, 'files/banners'))).toEqual([]);
});

test('a stream is kept as well as bytes', async () => {
  const stream = new Response('from a stream').body as ReadableStream;
  await files.uploadObject('products', 's.webp', undefined, stream, 'image/webp', 'no-cache');
  expect(await contentOf('s.webp')).toBe('from a stream');
});

test('an unchanged file is not sent again, a changed one is', async () => {
  const { eTag } = await upload('a.webp', 'one');
  const ifNoneMatch = eTag as string;
  expect((await files.getObject('products', 'a.webp', undefined, { ifNoneMatch })).httpStatusCode).toBe(304);
  await upload('a.webp', 'other');
  expect((await files.getObject('products', 'a.webp', undefined, { ifNoneMatch })).httpStatusCode).toBe(200);
});

test('many uploads of the same file at once leave one whole file and nothing else', async () => {
  const texts = Array.from({ length: 20 }, (_, i) => `${i}`.repeat(5000));
  const results = await Promise.allSettled(texts.map((text) => upload('race.webp', text)));
  expect(results.filter(({ status }) => status === 'rejected')).toHaveLength(0);
  expect(texts).toContain(await contentOf('race.webp'));
  expect(await readdir(join(folder, 'files/products'))).toEqual(['race.webp']);
});

test('an upload is kept, even if its file is removed a moment later', async () => {
  let isOver = false;
  const removing = (async () => {
    while (!isOver) await files.deleteObject('products', 'r.webp', undefined);
  })();
  const results = await Promise.allSettled(Array.from({ length: 100 }, () => upload('r.webp', 'new')));
  isOver = true;
  await removing;
  expect(results.filter(({ status }) => status === 'rejected')).toEqual([]);
});

test('an upload that breaks off leaves the old file and nothing else', async () => {
  await upload('a.webp', 'old');
  const broken = new ReadableStream({
    start(controller) {
      controller.enqueue(bytes('half'));
      controller.error(new Error('the line went dead'));
    },
  });
  await expect(files.uploadObject('products', 'a.webp', undefined, broken, 'image/webp', '')).rejects.toThrow();
  expect(await contentOf('a.webp')).toBe('old');
  expect(await readdir(join(folder, 'files/products'))).toEqual(['a.webp']);
});

describe('nothing outside the folder is reached', () => {
  test.each([
    ['products', '../../keys.json'],
    ['..', 'keys.json'],
    ['products', 'a/../../../keys.json'],
    ['products', 'a\0.webp'],
    ['', '../keys.json'],
    ['.', '..'],
  ])('by bucket "%s" and key "%s"', async (bucket, key) => {
    await expect((async () => files.getObject(bucket, key, undefined))()).rejects.toThrow();
    await expect((async () => files.headObject(bucket, key, undefined))()).rejects.toThrow();
    await expect(
      (async () => files.uploadObject(bucket, key, undefined, bytes('x'), 'image/webp', ''))(),
    ).rejects.toThrow();
    await expect((async () => files.deleteObject(bucket, key, undefined))()).rejects.toThrow();
    await expect((async () => files.deleteObjects(bucket, [key]))()).rejects.toThrow();
    expect(await readFile(join(folder, 'keys.json'), 'utf8')).toBe('secret');
  });
});
