import { ConsolePage } from '#app/features/console/console-page.tsx';
import { Loading } from '#app/ui/panel.tsx';

export default function OrdersRoute() {
  return (
    <ConsolePage title="Orders">
      <Loading />
    </ConsolePage>
  );
}
