export { NewOrderPage as default } from '#app/features/console/orders/new/new-order-page.tsx';
