import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { expect, test, vi } from 'vitest';
import { type CachedPage, createPageCache, type RenderedPage } from './page-cache.ts';
import { responseOf } from './send-page.ts';

const page = (html: string, more: Partial<RenderedPage> = {}): RenderedPage => ({
  status: 200,
  headers: { 'content-type': 'text/html' },
  bytes: Buffer.from(html),
  isExpired: () => false,
  ...more,
});
const textOf = (found: CachedPage | RenderedPage | null) =>
  found && ('bytes' in found ? found.bytes : found.responses.identity.body).toString();

test('a page is rendered once for a thousand first visitors', async () => {
  const cache = createPageCache();
  const render = vi.fn(async () => page('fresh'));
  const all = await Promise.all(Array.from({ length: 1000 }, () => cache.fill('/', render)));
  expect(render).toHaveBeenCalledTimes(1);
  expect(new Set(all).size).toBe(1);
  expect(textOf(cache.find('/'))).toBe('fresh');
});

test('a page whose rendering began before a change is neither cached after it nor sent to later visitors', async () => {
  const cache = createPageCache();
  const old = Promise.withResolvers<RenderedPage>();
  const first = cache.fill('/', () => old.promise);
  cache.drop();
  const second = cache.fill('/', async () => page('new'));
  old.resolve(page('old'));
  expect(textOf(await first)).toBe('old');
  expect(textOf(await second)).toBe('new');
  expect(textOf(cache.find('/'))).toBe('new');
});

test('an expired page is not sent, and a page that expires at once is not cached', async () => {
  let isExpired = false;
  const cache = createPageCache();
  await cache.fill('/', async () => page('greeting', { isExpired: () => isExpired }));
  expect(cache.find('/')).not.toBeNull();
  isExpired = true;
  expect(cache.find('/')).toBeNull();
  await cache.fill('/product/7', async () => page('Loading product...', { status: 404, isExpired: () => true }));
  expect(cache.find('/product/7')).toBeNull();
  expect(cache.counts()).toMatchObject({ pages: 0, bytes: 0 });
});

test('memory is bounded: the least recently used page is dropped first', async () => {
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

test('a page that could not be rendered is rendered again for the next visitor', async () => {
  const cache = createPageCache();
  await expect(cache.fill('/', () => Promise.reject(new Error('database away')))).rejects.toThrow('database away');
  expect(textOf(await cache.fill('/', async () => page('back')))).toBe('back');
});

test('every browser gets an encoding that it accepts, and 304 for a page that it has already', async () => {
  const html = '<p>ladoo</p>'.repeat(200);
  const cache = createPageCache();
  await cache.fill('/', async () => page(html));
  const cached = cache.find('/') as CachedPage;
  const request = (acceptEncoding: string, ifNoneMatch = '', method = 'GET') =>
    responseOf(cached, { method, acceptEncoding, ifNoneMatch });
  expect(brotliDecompressSync(request('gzip, deflate, br').body as Buffer).toString()).toBe(html);
  expect(gunzipSync(request('gzip;q=1.0, br;q=0').body as Buffer).toString()).toBe(html);
  expect(request('').body?.toString()).toBe(html);
  expect(request('broken').headers['content-encoding']).toBeUndefined();
  expect(request('br', `"other", ${cached.etag}`)).toMatchObject({ status: 304, body: null });
  expect(request('br', '"other"').status).toBe(200);
  expect(request('br', '', 'HEAD')).toMatchObject({ status: 200, body: null });
  expect(request('br').headers).toMatchObject({ vary: 'accept-encoding', etag: cached.etag });
});
