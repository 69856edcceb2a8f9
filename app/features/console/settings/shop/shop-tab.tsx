export function ShopTab() {
  return null;
}
