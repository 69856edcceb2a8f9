import type { ScreenHandle } from '#app/features/console/data/current-screen.ts';

export const handle: ScreenHandle = { title: 'Offers' };

export { OffersPage as default } from '#app/features/console/offers/offers-page.tsx';
