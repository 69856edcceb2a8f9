import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { expect, test, vi } from 'vitest';
import { createPageCache, type ReadyPage, type Rendered } from './page-cache.ts';
import { answerWith } from './send-page.ts';

const page = (html: string, more: Partial<Rendered> = {}): Rendered => ({
  status: 200,
  headers: { 'content-type': 'text/html' },
  bytes: Buffer.from(html),
  isOver: () => false,
  ...more,
});
const textOf = (found: ReadyPage | Rendered | null) =>
  found && ('bytes' in found ? found.bytes : found.bodies.identity).toString();

test('a thousand first visitors render once, and get the same', async () => {
  const cache = createPageCache();
  const render = vi.fn(async () => page('fresh'));
  const all = await Promise.all(Array.from({ length: 1000 }, () => cache.fill('/', render)));
  expect(render).toHaveBeenCalledTimes(1);
  expect(new Set(all).size).toBe(1);
  expect(textOf(cache.find('/'))).toBe('fresh');
});

test('what was begun before a change is not kept after it, nor given to who comes after it', async () => {
  const cache = createPageCache();
  const old = Promise.withResolvers<Rendered>();
  const first = cache.fill('/', () => old.promise);
  cache.drop();
  const second = cache.fill('/', async () => page('new'));
  old.resolve(page('old'));
  expect(textOf(await first)).toBe('old');
  expect(textOf(await second)).toBe('new');
  expect(textOf(cache.find('/'))).toBe('new');
});

test('a page ends when it says so, and what is over at once is not kept', async () => {
  let isOver = false;
  const cache = createPageCache();
  await cache.fill('/', async () => page('greeting', { isOver: () => isOver }));
  expect(cache.find('/')).not.toBeNull();
  isOver = true;
  expect(cache.find('/')).toBeNull();
  await cache.fill('/product/7', async () => page('Loading product...', { status: 404, isOver: () => true }));
  expect(cache.find('/product/7')).toBeNull();
  expect(cache.counts()).toMatchObject({ pages: 0, bytes: 0 });
});

test('memory is bounded: what was not asked for the longest goes first', async () => {
  const cache = createPageCache({ maxBytes: 3000 });
  const big = () =>
    Promise.resolve(page(Array.from({ length: 900 }, (_, n) => String.fromCharCode(32 + ((n * n) % 90))).join('')));
  await cache.fill('/a', big);
  await cache.fill('/b', big);
  cache.find('/a');
  await cache.fill('/c', big);
  expect(cache.counts().bytes).toBeLessThanOrEqual(3000);
  expect(cache.find('/b')).toBeNull();
  expect(cache.find('/c')).not.toBeNull();
});

test('a render that fails is tried again by the next', async () => {
  const cache = createPageCache();
  await expect(cache.fill('/', () => Promise.reject(new Error('database away')))).rejects.toThrow('database away');
  expect(textOf(await cache.fill('/', async () => page('back')))).toBe('back');
});

test('every browser gets what it understands, and nothing where it has it already', async () => {
  const html = '<p>ladoo</p>'.repeat(200);
  const cache = createPageCache();
  await cache.fill('/', async () => page(html));
  const ready = cache.find('/') as ReadyPage;
  const ask = (encoding: string, etag = '', method = 'GET') => answerWith(ready, method, { encoding, etag });
  expect(brotliDecompressSync(ask('gzip, deflate, br').body as Buffer).toString()).toBe(html);
  expect(gunzipSync(ask('gzip;q=1.0, br;q=0').body as Buffer).toString()).toBe(html);
  expect(ask('').body?.toString()).toBe(html);
  expect(ask('broken').headers['content-encoding']).toBeUndefined();
  expect(ask('br', `"other", ${ready.etag}`)).toMatchObject({ status: 304, body: null });
  expect(ask('br', '"other"').status).toBe(200);
  expect(ask('br', '', 'HEAD')).toMatchObject({ status: 200, body: null });
  expect(ask('br').headers).toMatchObject({ vary: 'accept-encoding', etag: ready.etag });
});
