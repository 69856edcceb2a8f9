import type { ScreenHandle } from '#app/features/console/data/current-screen.ts';

export const handle: ScreenHandle = { title: 'Kitchen sheet' };

export { KitchenPage as default } from '#app/features/console/kitchen/kitchen-page.tsx';
