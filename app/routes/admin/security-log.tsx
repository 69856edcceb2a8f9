import type { ScreenHandle } from '#app/features/console/data/current-screen.ts';

export const handle: ScreenHandle = { title: 'Logins and access' };

export { SecurityLogPage as default } from '#app/features/console/log/security-log-page.tsx';
