export { OrdersPage as default } from '#app/features/console/orders/list/orders-page.tsx';
