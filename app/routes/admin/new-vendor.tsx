import type { ScreenHandle } from '#app/features/console/data/current-screen.ts';

export const handle: ScreenHandle = { title: 'New vendor' };

export { NewVendorPage as default } from '#app/features/console/vendors/vendor-page.tsx';
