export { PrintPage as default } from '#app/features/console/orders/print/print-page.tsx';
