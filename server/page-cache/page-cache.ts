import { createHash } from 'node:crypto';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';

export type Encoding = 'br' | 'gzip' | 'identity';
/** A page as it is sent: its headers, and its bytes in every encoding. */
export type ReadyPage = {
  status: number;
  headers: Record<string, string>;
  bodies: Record<Encoding, Buffer>;
  etag: string;
  /** Whether what it shows may be true no longer, though nobody told of a change. */
  isOver(): boolean;
};
/** What is over at once is for whoever waits for it, and not kept. */
export type Rendered = Pick<ReadyPage, 'status' | 'headers' | 'isOver'> & { bytes: Buffer };

/**
 * Whole pages in memory. A page is rendered once however many ask for it at the same moment, is gone with the next
 * change of anything that shows, and what was begun before a change is not kept after it.
 */
export function createPageCache({ maxBytes = 48 * 1024 * 1024 } = {}) {
  // The oldest first: a page that is used moves to the end.
  const pages = new Map<string, ReadyPage>();
  const rendering = new Map<string, Promise<ReadyPage | Rendered>>();
  let bytes = 0;
  let generation = 0;
  const counts = { hits: 0, misses: 0, drops: 0 };

  function remove(key: string, page: ReadyPage): void {
    pages.delete(key);
    bytes -= sizeOf(page);
  }

  function keep(key: string, page: ReadyPage): void {
    const before = pages.get(key);
    if (before) remove(key, before);
    pages.set(key, page);
    bytes += sizeOf(page);
    for (const [oldest, kept] of pages) {
      if (bytes <= maxBytes) break;
      remove(oldest, kept);
    }
  }

  return {
    /** What is kept and still true. */
    find(key: string): ReadyPage | null {
      const page = pages.get(key);
      if (!page) return null;
      if (page.isOver()) {
        remove(key, page);
        return null;
      }
      pages.delete(key);
      pages.set(key, page);
      counts.hits += 1;
      return page;
    },
    /** Renders it, or waits for whoever does. What is not kept is not made ready either. */
    fill(key: string, render: () => Promise<Rendered>): Promise<ReadyPage | Rendered> {
      const begun = rendering.get(key);
      if (begun) return begun;
      counts.misses += 1;
      const started = generation;
      const work = (async () => {
        const rendered = await render();
        const isTrue = () => started === generation && !rendered.isOver();
        if (!isTrue()) return rendered;
        const page = await makeReady(rendered);
        if (isTrue()) keep(key, page);
        return page;
      })().finally(() => {
        if (rendering.get(key) === work) rendering.delete(key);
      });
      rendering.set(key, work);
      return work;
    },
    /** Something that shows has changed: nothing of before is shown again, nor what is being rendered now. */
    drop(): void {
      generation += 1;
      counts.drops += 1;
      pages.clear();
      rendering.clear();
      bytes = 0;
    },
    counts: (): Readonly<typeof counts & { pages: number; bytes: number }> => ({ ...counts, pages: pages.size, bytes }),
  };
}

export type PageCache = ReturnType<typeof createPageCache>;

const sizeOf = ({ bodies }: ReadyPage) => bodies.br.length + bodies.gzip.length + bodies.identity.length;

async function makeReady({ bytes: identity, ...page }: Rendered): Promise<ReadyPage> {
  const [br, zipped] = await Promise.all([packed(identity, 'br', 'often'), packed(identity, 'gzip', 'often')]);
  const etag = `W/"${createHash('sha256').update(identity).digest('base64url').slice(0, 22)}"`;
  return { ...page, etag, bodies: { br, gzip: zipped, identity } };
}

/** What is sent often is packed well, though not as small as can be: somebody waits for it. */
export async function packed(bytes: Buffer, encoding: Encoding, sent: 'often' | 'once'): Promise<Buffer> {
  if (encoding === 'identity') return bytes;
  const quality = sent === 'often' ? 6 : 2;
  if (encoding === 'gzip') return promisify(gzip)(bytes, { level: quality });
  // A window as wide as a page is long: the usual one of 4 MB costs more than the packing.
  const params = {
    [constants.BROTLI_PARAM_QUALITY]: quality,
    [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length,
    [constants.BROTLI_PARAM_LGWIN]: 18,
  };
  return promisify(brotliCompress)(bytes, { params });
}
