import type { ScreenHandle } from '#app/features/console/data/current-screen.ts';

export const handle: ScreenHandle = { title: 'Refunds' };

export { RefundsPage as default } from '#app/features/console/orders/refunds/refunds-page.tsx';
