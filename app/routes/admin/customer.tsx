import { ConsolePage } from '#app/features/console/console-page.tsx';
import { Loading } from '#app/ui/panel.tsx';

export default function CustomerRoute() {
  return (
    <ConsolePage title="Customer">
      <Loading />
    </ConsolePage>
  );
}
