import { href } from 'react-router';
import type { LogPage } from '#domain/log/table-labels.ts';

const settings = (tab: string) => () => `${href('/admin/settings')}?tab=${tab}`;

const hrefs: Record<LogPage, (id: string) => string> = {
  product: (id) => href('/admin/products/:id', { id }),
  stock: (productId) => href('/admin/inventory/:productId', { productId }),
  order: (id) => href('/admin/orders/:id', { id }),
  customer: (id) => href('/admin/customers/:id', { id }),
  vendor: (id) => href('/admin/vendors/:id', { id }),
  purchase: (id) => href('/admin/purchases/:id', { id }),
  greetings: () => href('/admin/greetings'),
  expenses: () => href('/admin/expenses'),
  profit: () => href('/admin/expenses/profit'),
  shop: settings('shop'),
  delivery: settings('delivery'),
  search: settings('search'),
  categories: settings('categories'),
  couriers: settings('couriers'),
  boxes: settings('boxes'),
  claim: (id) => href('/admin/orders/claims/:id', { id }),
  offers: () => href('/admin/offers'),
};

/** Where the thing that an entry of the log is about is shown. */
export const logHref = (page: LogPage, id: string): string => hrefs[page](id);
