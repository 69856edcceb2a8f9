export { ProductsPage as default } from '#app/features/console/products/products-page.tsx';
