import type { ScreenHandle } from '#app/features/console/data/current-screen.ts';

export const handle: ScreenHandle = { title: 'Expenses' };

export { ExpensesPage as default } from '#app/features/console/expenses/expenses-page.tsx';
