import type { ScreenHandle } from '#app/features/console/data/current-screen.ts';

export const handle: ScreenHandle = { title: 'Customers' };

export { CustomersPage as default } from '#app/features/console/customers/customers-page.tsx';
