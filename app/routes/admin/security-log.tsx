export { SecurityLogPage as default } from '#app/features/console/security-log/security-log-page.tsx';
