import type { ScreenHandle } from '#app/features/console/data/current-screen.ts';

export const handle: ScreenHandle = { title: 'Vendors' };

export { VendorsPage as default } from '#app/features/console/vendors/vendors-page.tsx';
