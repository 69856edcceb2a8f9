/// <reference lib="webworker" />
import { cacheNames, cachePrefix } from '../backend/cache-names.ts';
import { allRoutes, kindOf, mayStore, otherWidths, standInFor } from './rules.ts';

/**
 * Keeps the frame of the shop, visited pages and their pictures for when there is no network. The network comes first for
 * everything but hashed files, so that visitors see a new version of the shop at once; each build has caches of its own.
 * Which requests it sees at all: rules.ts.
 */
declare const self: ServiceWorkerGlobalScope;
/** Put in by build-service-worker.ts: a hash of all files of the build, and those of the storefront. */
declare const __BUILD__: { version: string; files: string[] };

const names = cacheNames(__BUILD__.version);
/** Beside the build's files: pages that can always be shown, and the pictures in them. */
const framePages = ['/offline', '/cart', '/images/logo-mark.svg', '/images/empty-cart-480.webp'];
/** A page that takes longer is shown as it was, if it was visited. */
const PAGE_TIMEOUT_MS = 4_000;
const MAX_PAGES = 60;
const MAX_PICTURES = 120;

self.addEventListener('install', (event) => {
  event.waitUntil(
    (async () => {
      const cache = await caches.open(names.frame);
      await cache.addAll([...__BUILD__.files, ...framePages]);
      await self.skipWaiting();
    })(),
  );
});

self.addEventListener('activate', (event) => {
  event.waitUntil(
    (async () => {
      const current = Object.values(names);
      const old = (await caches.keys()).filter((name) => name.startsWith(cachePrefix) && !current.includes(name));
      await Promise.all(old.map((name) => caches.delete(name)));
      // The browser would send every navigation ahead, also those that are none of this worker's business, and then once more:
      // a sign-in that returns twice is refused. It stays enabled until it is disabled, through all later builds.
      await self.registration.navigationPreload?.disable();
      await self.clients.claim();
      // The pages that are open were loaded before there was a worker.
      for (const { url } of await self.clients.matchAll({ type: 'window' }))
        if (kindOf({ method: 'GET', mode: 'navigate', url }, self.location.origin) === 'page')
          await fetchAndStore(url, names.pages, MAX_PAGES).catch(() => {});
    })(),
  );
});

self.addEventListener('fetch', (event) => {
  const kind = kindOf(event.request, self.location.origin);
  if (kind === 'asset') event.respondWith(storedFirst(event.request));
  else if (kind === 'picture') event.respondWith(picture(event));
  else if (kind === 'routes') event.respondWith(routes(event));
  else if (kind) event.respondWith(networkFirst(event, kind));
});

async function storedFirst(request: Request): Promise<Response> {
  return (await caches.match(request, { ignoreVary: true })) ?? fetchAndStore(request, names.frame, Infinity);
}

async function networkFirst(event: FetchEvent, kind: 'page' | 'data'): Promise<Response> {
  const { request } = event;
  const network = (async () => {
    const response = await fetch(request);
    event.waitUntil(store(request.url, response.clone(), names.pages, MAX_PAGES));
    return response;
  })();
  const stored = () => caches.match(request.url, { cacheName: names.pages, ignoreVary: true });
  const late = new Promise((resolve) => setTimeout(resolve, PAGE_TIMEOUT_MS)).then(
    async () => (await stored()) ?? network,
  );
  try {
    return await Promise.race([network, late]);
  } catch (error) {
    late.catch(() => {}); // the same failure, already dealt with
    const found = (await stored()) ?? (kind === 'page' ? await standIn(request.url) : undefined);
    if (found) return found;
    throw error;
  }
}

async function standIn(url: string): Promise<Response | undefined> {
  const instead = standInFor(new URL(url));
  if ('goTo' in instead) return Response.redirect(instead.goTo);
  return caches.match(instead.page, { cacheName: names.frame, ignoreVary: true });
}

/** A page learns the routes of its links after it was shown. Without a network it learns those of the whole storefront. */
async function routes(event: FetchEvent): Promise<Response> {
  const all = allRoutes(event.request.url);
  const stored = await caches.match(all, { cacheName: names.frame, ignoreVary: true });
  try {
    const response = await fetch(event.request);
    if (!stored) event.waitUntil(fetchAndStore(all, names.frame, Number.POSITIVE_INFINITY).catch(() => {}));
    return response;
  } catch (error) {
    if (stored) return stored;
    throw error;
  }
}

/** From the browser's own cache or the network, as without a worker; kept for when there is neither. */
async function picture({ request }: FetchEvent): Promise<Response> {
  try {
    return await fetchAndStore(request, names.pictures, MAX_PICTURES);
  } catch (error) {
    for (const url of [request.url, ...otherWidths(request.url)]) {
      const stored = await caches.match(url, { ignoreVary: true });
      if (stored) return stored;
    }
    throw error;
  }
}

async function fetchAndStore(request: Request | string, name: string, most: number): Promise<Response> {
  const response = await fetch(request);
  await store(request, response.clone(), name, most);
  return response;
}

async function store(request: Request | string, response: Response, name: string, most: number): Promise<void> {
  if (!mayStore(response)) return;
  const cache = await caches.open(name);
  await cache.put(request, response);
  // The oldest come first.
  const keys = await cache.keys();
  await Promise.all(keys.slice(0, Math.max(0, keys.length - most)).map((key) => cache.delete(key)));
}
