import type { ScreenHandle } from '#app/features/console/data/current-screen.ts';

export const handle: ScreenHandle = { title: 'New order' };

export { NewOrderPage as default } from '#app/features/console/orders/new/new-order-page.tsx';
