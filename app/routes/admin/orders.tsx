import type { ScreenHandle } from '#app/features/console/data/current-screen.ts';

export const handle: ScreenHandle = { title: 'Orders' };

export { OrdersPage as default } from '#app/features/console/orders/list/orders-page.tsx';
