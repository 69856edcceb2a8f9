import { ConsolePage } from '#app/features/console/console-page.tsx';
import { Loading } from '#app/ui/panel.tsx';

export default function StockItemRoute() {
  return (
    <ConsolePage title="Stock">
      <Loading />
    </ConsolePage>
  );
}
