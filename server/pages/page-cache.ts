import { createHash } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import { compressed, type Encoding, encodings } from './compression.ts';

/** A page as it is sent: what is the same for every response is worked out once. */
export type CachedPage = {
  status: number;
  etag: string;
  responses: Record<Encoding, { headers: Record<string, string>; body: Buffer }>;
  /** Whether what it shows may be out of date, though no change was announced. */
  isExpired(): boolean;
};

export type RenderedPage = {
  status: number;
  headers: Record<string, string>;
  bytes: Buffer;
  /** A page that has expired already is for the requests that wait for it, and is not cached. */
  isExpired(): boolean;
};

/**
 * Whole pages in memory. A page is rendered once for all requests that come at the same moment, and dropped with the next
 * change of anything it shows; a page whose rendering began before a change is not cached after it.
 */
export function createPageCache({ maxBytes = 48 * 1024 * 1024 } = {}) {
  const pages = new LRUCache<string, CachedPage>({ maxSize: maxBytes, sizeCalculation: sizeOf });
  const rendering = new Map<string, Promise<CachedPage | RenderedPage>>();
  let generation = 0;
  const counts = { hits: 0, misses: 0, drops: 0 };

  async function renderInto(key: string, render: () => Promise<RenderedPage>): Promise<CachedPage | RenderedPage> {
    const started = generation;
    const rendered = await render();
    const isCurrent = () => started === generation && !rendered.isExpired();
    if (!isCurrent()) return rendered;
    const page = await cachedPageOf(rendered);
    if (isCurrent()) pages.set(key, page);
    return page;
  }

  return {
    find(key: string): CachedPage | null {
      const page = pages.get(key);
      if (!page) return null;
      if (page.isExpired()) {
        pages.delete(key);
        return null;
      }
      counts.hits += 1;
      return page;
    },
    /** Renders the page, or waits for the request that renders it already. */
    fill(key: string, render: () => Promise<RenderedPage>): Promise<CachedPage | RenderedPage> {
      const begun = rendering.get(key);
      if (begun) return begun;
      counts.misses += 1;
      const work = renderInto(key, render).finally(() => {
        if (rendering.get(key) === work) rendering.delete(key);
      });
      rendering.set(key, work);
      return work;
    },
    /** Something that pages show has changed. */
    drop(): void {
      generation += 1;
      counts.drops += 1;
      pages.clear();
      rendering.clear();
    },
    counts: (): Readonly<typeof counts & { pages: number; bytes: number }> => ({
      ...counts,
      pages: pages.size,
      bytes: pages.calculatedSize,
    }),
  };
}

export type PageCache = ReturnType<typeof createPageCache>;

const sizeOf = ({ responses }: CachedPage) =>
  encodings.reduce((bytes, encoding) => bytes + responses[encoding].body.length, 0);

async function cachedPageOf({ status, headers, bytes, isExpired }: RenderedPage): Promise<CachedPage> {
  const etag = `W/"${createHash('sha256').update(bytes).digest('base64url').slice(0, 22)}"`;
  const responseIn = async (encoding: Encoding) => {
    const body = await compressed(bytes, encoding, 'cached');
    const all: Record<string, string> = { ...headers, etag, vary: 'accept-encoding' };
    if (encoding !== 'identity') all['content-encoding'] = encoding;
    all['content-length'] = String(body.length);
    return { headers: all, body };
  };
  const [br, gzip, identity] = await Promise.all([responseIn('br'), responseIn('gzip'), responseIn('identity')]);
  return { status, etag, isExpired, responses: { br, gzip, identity } };
}
