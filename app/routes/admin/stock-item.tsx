import { idFrom } from '#app/features/console/inventory/stock-data.ts';
import { StockItemPage } from '#app/features/console/inventory/stock-item-page.tsx';
import type { Route } from './+types/stock-item.ts';

export default function StockItemRoute({ params }: Route.ComponentProps) {
  return <StockItemPage productId={idFrom(params.productId) ?? 0} />;
}
