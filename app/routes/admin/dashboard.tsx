import type { ScreenHandle } from '#app/features/console/data/current-screen.ts';

export const handle: ScreenHandle = { title: 'Dashboard' };

export { DashboardPage as default } from '#app/features/console/dashboard/dashboard-page.tsx';
