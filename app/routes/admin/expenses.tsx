export { ExpensesPage as default } from '#app/features/console/expenses/expenses-page.tsx';
