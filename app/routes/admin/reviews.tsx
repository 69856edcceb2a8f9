import type { ScreenHandle } from '#app/features/console/data/current-screen.ts';

export const handle: ScreenHandle = { title: 'Reviews' };

export { ReviewsPage as default } from '#app/features/console/customers/reviews-page.tsx';
