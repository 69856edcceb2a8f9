import { provenBy, type SpecRow } from './spec-row.ts';

const everyArea =
  'tests/e2e/console.spec.ts › an administrator comes in by the console button, finds every area, and logs out @wide';

/** Section 2: the administrators' console. */
export const consoleRows: SpecRow[] = [
  ...provenBy(2, everyArea, [
    '/admin redirects to /admin/dashboard',
    ...['dashboard', 'greetings', 'orders', 'products', 'customers', 'vendors', 'inventory', 'expenses'].map(
      (area) => `the console has ${area}`,
    ),
    'Logout in the sidebar',
  ]),
  {
    section: 2,
    what: 'who is no administrator goes to /',
    provenBy: 'tests/e2e/console.spec.ts › visitors and customers are sent from the console to the shop',
  },
];
