import { isCategoryName } from '../../domain/catalog/category.ts';
import { shopAddress, shopViewFrom } from '../../domain/catalog/shop-view.ts';

const policies = ['', 'shipping', 'privacy', 'complaints'];

/**
 * The key of a public page in the cache, made of known parameters alone: other parameters lead to the same page and cannot
 * fill the memory. null: the page is not the same for everybody, or there are too many of its kind.
 */
export function pageKey(url: string): string | null {
  if (!isWellFormed(url)) return null;
  const mark = url.indexOf('?');
  const pathname = mark < 0 ? url : url.slice(0, mark);
  const query = new URLSearchParams(mark < 0 ? '' : url.slice(mark));
  if (isSignInReturn(query)) return null;
  if (pathname === '/' || pathname === '/box' || pathname === '/gifts/group') return pathname;
  if (pathname === '/shop') return query.has('q') ? null : shopKey(query);
  if (pathname === '/terms') {
    const policy = query.get('policy') ?? '';
    if (!policies.includes(policy)) return null;
    return policy ? `/terms?policy=${policy}` : '/terms';
  }
  return /^\/product\/[1-9]\d{0,14}$/.test(pathname) ? pathname : null;
}

/**
 * The owner may add categories, so any possible name of one makes a key. The page of a category that does not exist is not
 * cached (app/routes/storefront/shop.tsx).
 */
function shopKey(query: URLSearchParams): string {
  const category = query.get('category') ?? '';
  return shopAddress(shopViewFrom(query, isCategoryName(category) ? [category] : []));
}

/** Codes of a sign-in are in no cache: not in ours, not in the browser's, not in a proxy's. */
export function isSignInReturn(query: URLSearchParams): boolean {
  return ['code', 'error', 'error_code', 'error_description'].some((name) => query.has(name));
}

function isWellFormed(url: string): boolean {
  try {
    return !url.includes('%') || decodeURIComponent(url) !== '';
  } catch {
    return false;
  }
}
