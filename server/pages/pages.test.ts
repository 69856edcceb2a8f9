// With the pages as they are built, and a backend that returns what each test needs.
import { join } from 'node:path';
import { createElement, Suspense } from 'react';
import type { ServerBuild } from 'react-router';
import { describe, expect, test, vi } from 'vitest';
import type { LogEntry } from '../host/log.ts';
import { builtPages, createPages, type LoadBuild, type PagesOptions } from './pages.ts';

const build = join(import.meta.dirname, '../../build');
const shop = {
  name: 'Mithaas',
  legal_name: '',
  address: '',
  fssai_number: '11520011000123',
  gstin: '',
  email: '',
  whatsapp_number: '',
  instagram_url: '',
  facebook_url: '',
  grievance_officer: '',
  grievance_email: '',
  grievance_phone: '',
  grievance_hours: '',
  weekly_off: [],
};
const greeting = (title: string) => ({ id: 1, title, message: '', image: '', link: '/shop', has_fireworks: false });
const frame = (title: string | null = null, changes_at: string | null = null) => ({
  shop,
  greeting: title && greeting(title),
  categories: [],
  changes_at,
});
const home = { slides: [], products: [], combos: [] };

/** Results that most tests do not depend on. */
const defaults: Results = { popular_products: () => [], shop_page: () => [] };

type Results = { [name: string]: () => unknown };

type PagesOverOptions = { pagesLastMs?: number; loadBuild?: LoadBuild };

async function pagesOver(results: Results, options: PagesOverOptions = {}) {
  const calls: string[] = [];
  const logged: LogEntry[] = [];
  const backend: PagesOptions['backend'] = {
    publicConfig: { url: null, key: 'sb_publishable_x', signInProvider: 'github' },
    pagesLastMs: options.pagesLastMs ?? Number.POSITIVE_INFINITY,
    read: async (name: string) => {
      calls.push(name);
      return (results[name] ?? defaults[name])?.();
    },
    note: async (name: string) => void calls.push(name),
  };
  const pages = await createPages({
    backend,
    siteUrl: 'http://shop.test',
    clientDir: join(build, 'client'),
    loadBuild: options.loadBuild ?? builtPages(join(build, 'server/index.js')),
    mode: 'production',
    razorpay: false,
    proxies: 0,
    log: (entry) => logged.push(entry),
  });
  const get = async (path: string, headers: Record<string, string> = {}) => {
    const response = await pages.respond(new Request(`http://shop.test${path}`, { headers }), 'request-1');
    return { status: response.status, headers: response.headers, text: await response.text() };
  };
  return { pages, calls, logged, get };
}

/** Results when it is told to. */
function held() {
  const { promise, resolve } = Promise.withResolvers<unknown>();
  return { result: () => promise, resolve };
}
const called = async (calls: string[], name: string, times: number) => {
  await expect.poll(() => calls.filter((one) => one === name).length).toBe(times);
};

test('a page that is the same for everybody is cached, every other one is rendered for each request', async () => {
  const { pages, calls, get } = await pagesOver({ page_frame: () => frame(), home_page: () => home });
  expect((await get('/')).status).toBe(200);
  expect(pages.cached('/')).not.toBe(null);
  await get('/?code=a');
  await get('/?code=b');
  expect(calls.filter((name) => name === 'home_page').length).toBe(3);
  expect(pages.cached('/?code=a')).toBe(null);
});

test('one visitor’s searches without a result are counted five times a minute, and others’ still are', async () => {
  const nothing = { found: 0, total: 0, products: [], nearest: [] };
  const { pages, calls } = await pagesOver({ page_frame: () => frame(), search_products: () => nothing });
  const search = (n: number, address: string) =>
    pages.respond(new Request(`http://shop.test/shop?q=nothing${n}`), 'request-1', address);
  for (let n = 0; n < 8; n += 1) await search(n, '203.0.113.7');
  const counted = () => calls.filter((name) => name === 'record_missed_search').length;
  expect(counted()).toBe(5);
  await search(9, '203.0.113.8');
  expect(counted()).toBe(6);
});

test('addresses that carry a sign-in are stored by no cache, and every other page says how it may be', async () => {
  const { get } = await pagesOver({ page_frame: () => frame(), home_page: () => home });
  const policy = async (path: string) => (await get(path)).headers.get('cache-control');
  for (const path of ['/?code=a', '/?error=denied', '/?error_description=x', '/_root.data?code=a', '/nowhere?code=a'])
    expect(await policy(path), path).toBe('no-store');
  for (const path of ['/', '/nowhere', '/_root.data']) expect(await policy(path), path).toBe('no-cache');
});

const product = {
  Id: 1,
  Name: 'Kaju Katli',
  Category: 'Gift',
  Price: 240,
  regular_price: null,
  offer_percent: null,
  gst_percent: 5,
  Image: '',
  Rating: null,
  review_count: 0,
  isavailable: true,
  hasSize: true,
  food_mark: null,
  Description: '',
  weight_grams: 500,
  ingredients: '',
  allergens: '',
  shelf_life_days: 10,
  storage: '',
  maker: '',
  taste: '',
  travel: '',
  pictures: [],
};

test.each([
  ['/', { home_page: home, page_frame: frame(), popular_products: [], shop_page: [] }],
  ['/product/1', { goes_well_with: [], page_frame: frame(), product_page: product }],
  ['/product-details?name=Kaju%20Katli', { product_page_by_name: product }],
])('%s takes one round trip to the database: all calls are made before the first result', async (path, results) => {
  const isTime = Promise.withResolvers<void>();
  const later = (result: unknown) => () => isTime.promise.then(() => result);
  const { calls, get } = await pagesOver(
    Object.fromEntries(Object.entries<unknown>(results).map(([name, result]) => [name, later(result)])),
  );
  const page = get(path);
  await expect.poll(() => [...calls].sort()).toEqual(Object.keys(results));
  isTime.resolve();
  expect((await page).status).toBe(200);
  expect([...calls].sort()).toEqual(Object.keys(results));
});

describe('never an old page after a change', () => {
  test('a page that was being rendered is not cached, and later visitors get a new one', async () => {
    const old = held();
    let now: () => unknown = old.result;
    const { pages, calls, get } = await pagesOver({ page_frame: () => now(), home_page: () => home });
    const before = get('/');
    await called(calls, 'page_frame', 1);
    now = () => frame('Happy Holi');
    pages.drop();
    const after = get('/');
    await called(calls, 'page_frame', 2);
    old.resolve(frame('Happy Diwali'));
    expect((await before).text).toContain('Happy Diwali');
    expect((await after).text).toContain('Happy Holi');
    expect(pages.cached('/')?.responses.identity.body.toString()).toContain('Happy Holi');
  });

  test('a page is cached until the next greeting, and not at all where that has begun or its time cannot be read', async () => {
    const inAnHour = new Date(Date.now() + 3_600_000).toISOString();
    for (const [end, isCached] of [
      [inAnHour, true],
      [null, true],
      [new Date(Date.now() - 1).toISOString(), false],
      ['infinity', false],
    ] as const) {
      const { pages, get } = await pagesOver({ page_frame: () => frame('Happy Diwali', end), home_page: () => home });
      expect((await get('/')).status).toBe(200);
      expect(pages.cached('/') !== null, String(end)).toBe(isCached);
    }
  });

  test('a page with a greeting is not sent once the clock has jumped past the end of it', async () => {
    const tomorrow = () => frame('Happy Diwali', new Date(Date.now() + 86_400_000).toISOString());
    const { pages, get } = await pagesOver({ page_frame: tomorrow, home_page: () => home });
    vi.useFakeTimers({ toFake: ['Date'] });
    try {
      await get('/');
      expect(pages.cached('/')).not.toBe(null);
      vi.setSystemTime(Date.now() + 2 * 86_400_000);
      expect(pages.cached('/')).toBe(null);
    } finally {
      vi.useRealTimers();
    }
  });

  test('where changes are not announced a page expires, also after the clock was set back', async () => {
    const { pages, get } = await pagesOver(
      { page_frame: () => frame(), home_page: () => home },
      { pagesLastMs: 60_000 },
    );
    vi.useFakeTimers({ toFake: ['Date', 'performance'] });
    try {
      await get('/');
      vi.setSystemTime(Date.now() - 3_600_000);
      vi.advanceTimersByTime(59_000);
      expect(pages.cached('/')).not.toBe(null);
      vi.advanceTimersByTime(1_001);
      expect(pages.cached('/')).toBe(null);
    } finally {
      vi.useRealTimers();
    }
  });

  test('the age of a page is counted from before its data was read', async () => {
    const { pages, get } = await pagesOver(
      { page_frame: () => frame(), home_page: () => new Promise((done) => setTimeout(done, 60, home)) },
      { pagesLastMs: 50 },
    );
    expect((await get('/')).status).toBe(200);
    expect(pages.cached('/'), 'expired already').toBe(null);
  });
});

test('a page that is not cached is compressed for each request', async () => {
  const { pages, get } = await pagesOver({
    page_frame: () => frame(),
    product_page: () => null,
    goes_well_with: () => [],
  });
  const plain = await get('/product/12345');
  expect([plain.status, plain.headers.get('content-encoding')]).toEqual([404, null]);
  expect(plain.text).toContain('11520011000123</p>');
  const small = await get('/product/12345', { 'accept-encoding': 'br' });
  expect([small.status, small.headers.get('content-encoding')]).toEqual([404, 'br']);
  expect(pages.cached('/product/12345')).toBe(null);
});

test('a part that cannot be rendered is an error in the log and a page that says so, never a page with a hole', async () => {
  const Broken = () => {
    throw new Error('no such lamp');
  };
  const loadBuild = async () => {
    const whole = await builtPages(join(build, 'server/index.js'))();
    const route = whole.routes['routes/storefront/home'];
    if (!route) throw new Error('no home page');
    const module = { ...route.module, default: () => createElement(Suspense, null, createElement(Broken)) };
    return { ...whole, routes: { ...whole.routes, [route.id]: { ...route, module } } } as ServerBuild;
  };
  const { pages, logged, get } = await pagesOver({ page_frame: () => frame(), home_page: () => home }, { loadBuild });
  const page = await get('/');
  expect(page.status).toBe(500);
  expect(page.text, 'a page that tells of it').toContain('request-1');
  expect(pages.cached('/')).toBe(null);
  expect(logged.some(({ level, event }) => level === 'error' && event === 'page-failed')).toBe(true);
});
