import type { ScreenHandle } from '#app/features/console/data/current-screen.ts';

export const handle: ScreenHandle = { title: 'Profit and loss' };

export { ProfitPage as default } from '#app/features/console/expenses/profit-page.tsx';
