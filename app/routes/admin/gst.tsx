import type { ScreenHandle } from '#app/features/console/data/current-screen.ts';

export const handle: ScreenHandle = { title: 'GST' };

export { GstPage as default } from '#app/features/console/expenses/gst-page.tsx';
