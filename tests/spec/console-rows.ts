import { areas } from '#app/features/console/areas.ts';
import type { SpecRow } from './spec-row.ts';

/** Section 2: the administrators' console. */
export const consoleRows: SpecRow[] = [
  {
    section: 2,
    what: '/admin redirects to /admin/dashboard',
    keptIn: 'app/routes/admin/index.ts',
    source: "redirect('/admin/dashboard')",
  },
  {
    section: 2,
    what: 'dashboard, greetings, orders, products, customers, vendors, inventory, expenses',
    keptIn: 'app/features/console/areas.ts',
    value: areas.map(({ to }) => to.slice('/admin/'.length)),
    is: ['dashboard', 'greetings', 'orders', 'products', 'customers', 'vendors', 'inventory', 'expenses'],
  },
  {
    section: 2,
    what: 'Logout in the sidebar',
    keptIn: 'app/features/console/console-frame.tsx',
    source: 'to="/logout"',
  },
  {
    section: 2,
    what: 'whoever is no administrator goes to /',
    keptIn: 'app/routes/admin/layout.tsx',
    source: "navigate('/', { replace: true })",
  },
];
