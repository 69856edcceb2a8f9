import type { ScreenHandle } from '#app/features/console/data/current-screen.ts';

export const handle: ScreenHandle = { title: 'Stock count' };

export { CountPage as default } from '#app/features/console/inventory/count-page.tsx';
