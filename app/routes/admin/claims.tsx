import type { ScreenHandle } from '#app/features/console/data/current-screen.ts';

export const handle: ScreenHandle = { title: 'Claims' };

export { ClaimsPage as default } from '#app/features/console/orders/claims/claims-page.tsx';
