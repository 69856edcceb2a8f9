import { ConsolePage } from '#app/features/console/console-page.tsx';
import { Loading } from '#app/ui/panel.tsx';

export default function NewOrderRoute() {
  return (
    <ConsolePage title="New order">
      <Loading />
    </ConsolePage>
  );
}
