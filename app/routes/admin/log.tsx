export { LogPage as default } from '#app/features/console/log/log-page.tsx';
