import type { ScreenHandle } from '#app/features/console/data/current-screen.ts';

export const handle: ScreenHandle = { title: 'Products' };

export { ProductsPage as default } from '#app/features/console/products/products-page.tsx';
