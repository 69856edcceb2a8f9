import { href } from 'react-router';
export type Area = { to: string; title: string /** After g. */; key: string };

/** The console, as the sidebar lists it. */
export const areas: readonly Area[] = [
  { to: href('/admin/dashboard'), title: 'Dashboard', key: 'd' },
  { to: href('/admin/greetings'), title: 'Greetings', key: 'g' },
  { to: href('/admin/orders'), title: 'Orders', key: 'o' },
  { to: href('/admin/products'), title: 'Products', key: 'p' },
  { to: href('/admin/customers'), title: 'Customers', key: 'c' },
  { to: href('/admin/vendors'), title: 'Vendors', key: 'v' },
  { to: href('/admin/inventory'), title: 'Inventory', key: 'i' },
  { to: href('/admin/expenses'), title: 'Expenses', key: 'e' },
];
