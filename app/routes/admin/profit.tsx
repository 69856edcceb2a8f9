export { ProfitPage as default } from '#app/features/console/expenses/profit-page.tsx';
