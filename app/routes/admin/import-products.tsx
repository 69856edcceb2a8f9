import type { ScreenHandle } from '#app/features/console/data/current-screen.ts';

export const handle: ScreenHandle = { title: 'Import products' };

export { ImportPage as default } from '#app/features/console/products/import-page.tsx';
