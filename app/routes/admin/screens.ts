import { type ComponentType, lazy } from 'react';
import { matchRoutes, type Params } from 'react-router';

export type ScreenProps = { params: Params };
type Load = () => Promise<{ default: ComponentType<ScreenProps> }>;

/**
 * The console's sitemap, with the heading that each screen has until it knows better. For the router it is one route:
 * every page of the shop loads the list of all routes, and customers need not load that of the console.
 */
const sitemap: Record<string, [title: string, load: Load]> = {
  dashboard: ['Dashboard', () => import('./dashboard.tsx')],
  kitchen: ['Kitchen sheet', () => import('./kitchen.tsx')],
  greetings: ['Greetings', () => import('./greetings.tsx')],
  orders: ['Orders', () => import('./orders.tsx')],
  'orders/new': ['New order', () => import('./new-order.tsx')],
  'orders/print': ['Print', () => import('./print-orders.tsx')],
  'orders/:id': ['Order', () => import('./order.tsx')],
  products: ['Products', () => import('./products.tsx')],
  'products/import': ['Import products', () => import('./import-products.tsx')],
  'products/:id': ['Product', () => import('./product.tsx')],
  customers: ['Customers', () => import('./customers.tsx')],
  'customers/reviews': ['Reviews', () => import('./reviews.tsx')],
  'customers/:id': ['Customer', () => import('./customer.tsx')],
  vendors: ['Vendors', () => import('./vendors.tsx')],
  'vendors/:id': ['Vendor', () => import('./vendor.tsx')],
  'purchases/:id': ['Purchase order', () => import('./purchase.tsx')],
  inventory: ['Inventory', () => import('./inventory.tsx')],
  'inventory/count': ['Stock count', () => import('./count.tsx')],
  'inventory/:productId': ['Stock', () => import('./stock-item.tsx')],
  expenses: ['Expenses', () => import('./expenses.tsx')],
  'expenses/profit': ['Profit and loss', () => import('./profit.tsx')],
  'expenses/gst': ['GST', () => import('./gst.tsx')],
  settings: ['Settings', () => import('./settings.tsx')],
  log: ['Activity log', () => import('./log.tsx')],
  'log/security': ['Logins and access', () => import('./security-log.tsx')],
};

type KnownScreen = { path: string; title: string; load: Load; Screen: ComponentType<ScreenProps> };
const screens: KnownScreen[] = Object.entries(sitemap).map(([path, [title, load]]) => ({
  path,
  title,
  load,
  Screen: lazyScreen(load),
}));

/** Which screen an address leads to, and what of it the address says; null for none. */
export function screenAt(pathname: string) {
  const [match] = matchRoutes(screens, pathname, '/admin') ?? [];
  return match ? { screen: match.route, params: match.params } : null;
}

/** A screen that did not come may be asked for again. */
export function askAgain(screen: KnownScreen): void {
  screen.Screen = lazyScreen(screen.load);
}

function lazyScreen(load: Load) {
  return lazy(() => load().catch(loadAnew));
}

const reloadedKey = 'mithaas-console-reloaded';

/** Where the shop answers and a file is gone, there has been a release: all is loaded anew, once. */
async function loadAnew(error: unknown): Promise<never> {
  const reloadedAt = Number(sessionStorage.getItem(reloadedKey));
  const shop = await fetch('/healthz').catch(() => null);
  if (!shop?.ok || Date.now() - reloadedAt < 60_000) throw error;
  sessionStorage.setItem(reloadedKey, String(Date.now()));
  location.reload();
  return new Promise<never>(() => {});
}
