import type { ScreenHandle } from '#app/features/console/data/current-screen.ts';

export const handle: ScreenHandle = { title: 'Print' };

export { PrintPage as default } from '#app/features/console/orders/print/print-page.tsx';
