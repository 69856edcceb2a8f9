export function DeliveryTab() {
  return null;
}
