export { VendorsPage as default } from '#app/features/console/vendors/vendors-page.tsx';
