export type Area = { to: string; title: string /** After g. */; key: string };

/** The console, as the sidebar lists it. */
export const areas: readonly Area[] = [
  { to: '/admin/dashboard', title: 'Dashboard', key: 'd' },
  { to: '/admin/greetings', title: 'Greetings', key: 'g' },
  { to: '/admin/orders', title: 'Orders', key: 'o' },
  { to: '/admin/products', title: 'Products', key: 'p' },
  { to: '/admin/customers', title: 'Customers', key: 'c' },
  { to: '/admin/vendors', title: 'Vendors', key: 'v' },
  { to: '/admin/inventory', title: 'Inventory', key: 'i' },
  { to: '/admin/expenses', title: 'Expenses', key: 'e' },
];
