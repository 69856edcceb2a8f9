import type { ScreenHandle } from '#app/features/console/data/current-screen.ts';

export const handle: ScreenHandle = { title: 'Activity log' };

export { LogPage as default } from '#app/features/console/log/log-page.tsx';
