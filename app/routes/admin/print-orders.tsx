export { PrintPage as default } from '#app/features/console/order/print-page.tsx';
