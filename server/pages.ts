import { pathToFileURL } from 'node:url';
import { createRequestHandler, RouterContextProvider, type ServerBuild } from 'react-router';
import type { Backend } from './backends/backend.ts';
import { clientAddress } from './host/client-address.ts';
import type { Log, LogEntry } from './host/log.ts';
import { pageBytes } from './page-bytes.ts';
import { createPageCache, type PageCache, packed, type ReadyPage, type Rendered } from './page-cache/page-cache.ts';
import { isSignInReturn, pageKey } from './page-cache/page-key.ts';
import { answerWith, encodingFor } from './page-cache/send-page.ts';
import { paintFirst, type Stylesheets } from './page-head.ts';
import { isDatabaseAway } from './postgres/database-away.ts';
import { pagePolicy, securityHeaders, takeMarks } from './security-headers.ts';
import { shareReads } from './shared-reads.ts';
import { limitPerVisitor } from './visitor-limit.ts';

type EntryModule = typeof import('../app/entry.server.tsx');
export type LoadBuild = () => Promise<ServerBuild>;

export const builtPages =
  (file: string): LoadBuild =>
  () =>
    import(pathToFileURL(file).href);

export type PagesOptions = {
  backend: Pick<Backend, 'publicConfig' | 'read' | 'note' | 'pagesLastMs'>;
  siteUrl: string;
  loadBuild: LoadBuild;
  /** null in development, where Vite brings styles and scripts in its own way. */
  stylesheets: Stylesheets | null;
  mode: 'production' | 'development';
  /** The real payment widget opens on these pages. */
  razorpay: boolean;
  /** How many proxies of our own stand in front: where a visitor's address is read. */
  proxies: number;
  log: Log;
};

/** What of its own text a page allows to run and to style it is named in its headers. */
type WholePage = { bytes: Buffer; scriptSources: string[]; styleSources: string[] };

export type Pages = {
  /** A public page that is there already. */
  kept(url: string): ReadyPage | null;
  /** A page that tells of trouble names the request. */
  respond(request: Request, requestId: string, socketAddress?: string): Promise<Response>;
  counts: PageCache['counts'];
  /** What is kept is not true any more. */
  drop(): void;
};

/**
 * Renders pages with React Router. Those that are the same for everybody are kept whole. In development the build changes
 * under us, so it is asked for each time, and nothing is kept.
 */
export async function createPages(options: PagesOptions): Promise<Pages> {
  const { backend, siteUrl, loadBuild, stylesheets, mode, razorpay, proxies, log } = options;
  const isKeeping = mode === 'production';
  const cache = createPageCache();
  const shared = shareReads(backend.read);
  // What pages write down for the owner has one budget per node in the database (record_missed_search): no visitor gets
  // more than a part of it.
  const mayNote = limitPerVisitor({ most: 5, windowMs: 60_000 });
  let build = await loadBuild();
  let handler = createRequestHandler(build, mode);

  async function render(
    request: Request,
    read: Backend['read'],
    socketAddress?: string,
  ): Promise<{ response: Response; page: WholePage | null; holdsUntil: number }> {
    if (mode === 'development') {
      build = await loadBuild();
      handler = createRequestHandler(build, mode);
    }
    const context = new RouterContextProvider();
    let page: WholePage | null = null;
    let holdsUntil = 0;
    let isAway = false;
    // What visitors asked wrongly is an error to React Router too; it is none of the shop's.
    const failures: LogEntry[] = [];
    context.set(entryOf(build).shopContext, {
      siteUrl,
      publicConfig: backend.publicConfig,
      read: (name, args) =>
        read(name, args).catch((error: unknown) => {
          isAway ||= isDatabaseAway(error);
          throw error;
        }),
      note: (name, args) => {
        if (mayNote(clientAddress(request.headers, socketAddress, proxies))) backend.note(name, args).catch(() => {});
      },
      holdsUntil: (moment) => {
        holdsUntil = moment?.getTime() ?? Infinity;
      },
      log: (entry) => failures.push(entry),
      deliver: ({ html, mark, kept }) => {
        const unmarked = takeMarks(html, mark);
        const painted = stylesheets ? paintFirst(unmarked.html, stylesheets) : null;
        page = {
          bytes: pageBytes(painted?.html ?? unmarked.html, mark, kept),
          scriptSources: [...unmarked.scriptSources, ...(painted?.scriptSources ?? [])],
          styleSources: [...unmarked.styleSources, ...(painted?.styleSources ?? [])],
        };
      },
    });
    const response = await handler(request, context);
    if (response.status >= 500) for (const failure of failures) log(failure);
    return { response: isAway && response.status === 500 ? unavailable(response) : response, page, holdsUntil };
  }

  function headersOf(response: Response, { scriptSources, styleSources }: WholePage): Headers {
    const headers = new Headers(response.headers);
    headers.set('content-type', 'text/html; charset=utf-8');
    if (mode === 'production')
      headers.set(
        'content-security-policy',
        pagePolicy({ scriptSources, styleSources }, backend.publicConfig.url, { razorpay }),
      );
    else headers.set('content-security-policy', "frame-ancestors 'none'"); // Vite's client needs inline scripts
    return headers;
  }

  /** As somebody would get it who has nothing in the address but what the page is known by. */
  async function renderForAll(key: string): Promise<Rendered> {
    // What the page shows is not shared with whoever asked before: it is kept, and must not be old already.
    const asked = performance.now();
    const { response, page, holdsUntil } = await render(new Request(siteUrl + key), backend.read);
    if (page === null) throw new Error(`${key} is not a page`);
    const isWhole = response.status === 200;
    const headers = headersOf(response, page);
    headers.set('cache-control', 'no-cache');
    return {
      status: response.status,
      headers: { ...securityHeaders({ https: siteUrl.startsWith('https:') }), ...Object.fromEntries(headers) },
      bytes: page.bytes,
      // Greetings go by the calendar; how old a page may be, by a clock that nobody sets back.
      isOver: () => !isWhole || Date.now() >= holdsUntil || performance.now() >= asked + backend.pagesLastMs,
    };
  }

  /** A page that is not kept. Where it tells of trouble it names the request of whoever gets it. */
  async function sendOnce(
    request: Request,
    requestId: string,
    page: { status: number; headers: Headers; bytes: Buffer },
  ): Promise<Response> {
    const bytes =
      page.status < 500 ? page.bytes : Buffer.from(entryOf(build).nameRequest(page.bytes.toString(), requestId));
    const encoding = encodingFor(request.headers.get('accept-encoding') ?? '');
    page.headers.append('vary', 'accept-encoding');
    if (encoding !== 'identity') page.headers.set('content-encoding', encoding);
    const body = request.method === 'HEAD' ? null : await packed(bytes, encoding, 'once');
    return new Response(body as BodyInit | null, page);
  }

  return {
    kept(url) {
      const key = isKeeping ? pageKey(url) : null;
      return key === null ? null : cache.find(key);
    },
    async respond(request, requestId, socketAddress) {
      const { pathname, search } = new URL(request.url);
      const isRead = request.method === 'GET' || request.method === 'HEAD';
      const key = isKeeping && isRead ? pageKey(pathname + search) : null;
      if (key !== null) {
        const page = await cache.fill(key, () => renderForAll(key));
        if ('bytes' in page) {
          // What failed stands in the log with the request that was rendered; others waited for the same.
          if (page.status >= 500) log({ level: 'warn', event: 'page-in-trouble', path: key });
          return sendOnce(request, requestId, { ...page, headers: new Headers(page.headers) });
        }
        const { status, headers, body } = answerWith(page, request.method, {
          encoding: request.headers.get('accept-encoding') ?? '',
          etag: request.headers.get('if-none-match') ?? '',
        });
        return new Response(body as BodyInit | null, { status, headers });
      }
      const { response, page } = await render(request, shared.read, socketAddress);
      const headers = page === null ? new Headers(response.headers) : headersOf(response, page);
      if (isSignInReturn(new URLSearchParams(search))) headers.set('cache-control', 'no-store');
      else if (!headers.has('cache-control')) headers.set('cache-control', 'no-cache');
      if (page === null) return new Response(response.body, { status: response.status, headers });
      return sendOnce(request, requestId, { status: response.status, headers, bytes: page.bytes });
    },
    drop() {
      shared.drop();
      cache.drop();
    },
    counts: cache.counts,
  };
}

function unavailable({ body, headers }: Response): Response {
  const answered = new Headers(headers);
  answered.set('retry-after', '5');
  return new Response(body, { status: 503, headers: answered });
}

// The context key that loaders use lives in the bundle; the same module imported here would be another object.
function entryOf(build: ServerBuild): EntryModule {
  return build.entry.module as unknown as EntryModule;
}
