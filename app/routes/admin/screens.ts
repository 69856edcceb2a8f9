import { type ComponentType, lazy } from 'react';
import { matchRoutes, type Params } from 'react-router';

export type ScreenProps = { params: Params };
type Load = () => Promise<{ default: ComponentType<ScreenProps> }>;

/**
 * The console's sitemap. For the router it is one route: every page of the shop loads the list of all routes, and
 * customers need not load that of the console.
 */
const loaders: Record<string, Load> = {
  dashboard: () => import('./dashboard.tsx'),
  kitchen: () => import('./kitchen.tsx'),
  greetings: () => import('./greetings.tsx'),
  orders: () => import('./orders.tsx'),
  'orders/new': () => import('./new-order.tsx'),
  'orders/print': () => import('./print-orders.tsx'),
  'orders/:id': () => import('./order.tsx'),
  products: () => import('./products.tsx'),
  'products/import': () => import('./import-products.tsx'),
  'products/:id': () => import('./product.tsx'),
  customers: () => import('./customers.tsx'),
  'customers/reviews': () => import('./reviews.tsx'),
  'customers/:id': () => import('./customer.tsx'),
  vendors: () => import('./vendors.tsx'),
  'vendors/:id': () => import('./vendor.tsx'),
  'purchases/:id': () => import('./purchase.tsx'),
  inventory: () => import('./inventory.tsx'),
  'inventory/count': () => import('./count.tsx'),
  'inventory/:productId': () => import('./stock-item.tsx'),
  expenses: () => import('./expenses.tsx'),
  'expenses/profit': () => import('./profit.tsx'),
  'expenses/gst': () => import('./gst.tsx'),
  settings: () => import('./settings.tsx'),
  log: () => import('./log.tsx'),
  'log/security': () => import('./security-log.tsx'),
};

type KnownScreen = { path: string; load: Load; Screen: ComponentType<ScreenProps> };
const screens: KnownScreen[] = Object.entries(loaders).map(([path, load]) => ({
  path,
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
