export { KitchenPage as default } from '#app/features/console/kitchen/kitchen-page.tsx';
