export { ImportPage as default } from '#app/features/console/products/import-page.tsx';
