import { useParams } from 'react-router';
import { idFrom } from '#app/features/console/inventory/stock-data.ts';
import { StockItemPage } from '#app/features/console/inventory/stock-item-page.tsx';

export default function StockItemRoute() {
  const { productId } = useParams();
  return <StockItemPage productId={idFrom(productId) ?? 0} />;
}
