export { InventoryPage as default } from '#app/features/console/inventory/inventory-page.tsx';
