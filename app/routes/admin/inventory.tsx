import type { ScreenHandle } from '#app/features/console/data/current-screen.ts';

export const handle: ScreenHandle = { title: 'Inventory' };

export { InventoryPage as default } from '#app/features/console/inventory/inventory-page.tsx';
