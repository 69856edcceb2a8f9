export { CustomersPage as default } from '#app/features/console/customers/customers-page.tsx';
