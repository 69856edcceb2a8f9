/** What the service worker does with a request; null: nothing, the browser sends it as if there were no worker. */
export type Kind = 'page' | 'data' | 'routes' | 'asset' | 'picture';

const publicPage = /^\/(shop|box|terms|product\/\d+)?$/;
/** The same for everybody as served: what is personal in them is loaded by the browser, past the worker. */
const framePage = /^\/(cart|profile|offline|gifts\/group)$/;
const publicData = /^\/(_root|shop|box|terms|product\/\d+)\.data$/;

/**
 * A list of what may be kept, so that nothing else is: no sign-in, no checkout, no confirmation, no payment, no console, no
 * function, no row of the database, nothing of another site. What is not listed never passes through the worker.
 */
export function kindOf(
  { method, mode, url }: { method: string; mode: string; url: string },
  origin: string,
): Kind | null {
  const { origin: of, pathname, searchParams } = new URL(url);
  if (method !== 'GET' || of !== origin) return null;
  if (mode === 'navigate') {
    const isSignInReturn = ['code', 'error', 'error_code', 'error_description'].some((name) => searchParams.has(name));
    return !isSignInReturn && (publicPage.test(pathname) || framePage.test(pathname)) ? 'page' : null;
  }
  if (pathname.startsWith('/assets/')) return 'asset';
  if (pathname.startsWith('/images/') || pathname.startsWith('/storage/v1/object/public/')) return 'picture';
  if (pathname === '/__manifest') return 'routes';
  return publicData.test(pathname) || pathname === '/product-details' ? 'data' : null;
}

// One address of each route of the storefront.
const routePaths = [
  '/',
  '/box',
  '/cart',
  '/gifts/group',
  '/logout',
  '/offline',
  '/order-confirmation/1',
  '/order/1',
  '/product/1',
  '/profile',
  '/shop',
  '/terms',
  '/unsubscribe',
];

/** Where all routes of the storefront are listed, in the build of a page that asks for the routes of its links. */
export function allRoutes(manifestUrl: string): string {
  const url = new URL(manifestUrl);
  url.searchParams.set('paths', routePaths.join());
  return url.href;
}

/** What may be kept for later: whole answers that say nothing against it. */
export function mayStore(response: { status: number; type: string; headers: Pick<Headers, 'get'> }): boolean {
  const isPrivate = /no-store|private/.test(response.headers.get('cache-control') ?? '');
  return response.status === 200 && response.type === 'basic' && !isPrivate;
}

/** The same picture as other pages show it, in another width or format, nearest first. */
export function otherWidths(url: string): string[] {
  const [, base, width] = /^(.+)-(240|480|960)\.(?:avif|webp)$/.exec(url) ?? [];
  if (!base) return [];
  const widths = [480, 960, 240].sort((a, b) => Math.abs(a - Number(width)) - Math.abs(b - Number(width)));
  return widths.flatMap((other) => [`${base}-${other}.avif`, `${base}-${other}.webp`]).filter((other) => other !== url);
}

/**
 * What stands in for a page that was never visited: itself, where it is part of the frame, else the address of another. Pages
 * must be shown under their own address, or the router would load them again.
 */
export function standInFor({
  pathname,
  search,
}: {
  pathname: string;
  search: string;
}): { page: string } | { goTo: string } {
  if (pathname === '/cart' || pathname === '/offline') return { page: pathname };
  return { goTo: `/offline?${new URLSearchParams({ to: pathname + search })}` };
}
