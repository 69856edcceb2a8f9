export { SecurityLogPage as default } from '#app/features/console/log/security-log-page.tsx';
