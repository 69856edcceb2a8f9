export { CountPage as default } from '#app/features/console/inventory/count-page.tsx';
