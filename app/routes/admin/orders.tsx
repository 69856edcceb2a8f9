export { OrdersPage as default } from '#app/features/console/orders/orders-page.tsx';
