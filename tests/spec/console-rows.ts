import type { SpecRow } from './spec-row.ts';

/** Section 2: the administrators' console. */
export const consoleRows: SpecRow[] = [
  {
    section: 2,
    what: '/admin redirects to /admin/dashboard',
    keptIn: 'app/routes/admin/console.tsx',
    source: "redirect('/admin/dashboard')",
  },
  ...['dashboard', 'greetings', 'orders', 'products', 'customers', 'vendors', 'inventory', 'expenses'].map(
    (area): SpecRow => ({
      section: 2,
      what: `the console has ${area}`,
      keptIn: 'app/features/console/frame/areas.ts',
      source: `to: '/admin/${area}'`,
    }),
  ),
  {
    section: 2,
    what: 'Logout in the sidebar',
    keptIn: 'app/features/console/frame/console-menu.tsx',
    source: 'to="/logout"',
  },
  {
    section: 2,
    what: 'whoever is no administrator goes to /',
    keptIn: 'app/routes/admin/console.tsx',
    source: "navigate('/', { replace: true })",
  },
];
