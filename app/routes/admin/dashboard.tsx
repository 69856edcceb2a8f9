export { DashboardPage as default } from '#app/features/console/dashboard/dashboard-page.tsx';
