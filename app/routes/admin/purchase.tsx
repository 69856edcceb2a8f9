import { ConsolePage } from '#app/features/console/console-page.tsx';
import { Loading } from '#app/ui/panel.tsx';

export default function PurchaseRoute() {
  return (
    <ConsolePage title="Purchase">
      <Loading />
    </ConsolePage>
  );
}
