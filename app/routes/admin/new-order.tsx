export { NewOrderPage as default } from '#app/features/console/order/new-order-page.tsx';
