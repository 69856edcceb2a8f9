import { idFrom } from '#app/features/console/inventory/stock-data.ts';
import { StockItemPage } from '#app/features/console/inventory/stock-item-page.tsx';
import type { ScreenProps } from './screens.ts';

export default function StockItemRoute({ params: { productId } }: ScreenProps) {
  return <StockItemPage productId={idFrom(productId) ?? 0} />;
}
