import type { ScreenHandle } from '#app/features/console/data/current-screen.ts';
import { idFrom } from '#app/features/console/inventory/stock-data.ts';
import { StockItemPage } from '#app/features/console/inventory/stock-item-page.tsx';
import type { Route } from './+types/stock-item.ts';

export const handle: ScreenHandle = { title: 'Stock' };

export default function StockItemRoute({ params: { productId } }: Route.ComponentProps) {
  return <StockItemPage productId={idFrom(productId) ?? 0} />;
}
