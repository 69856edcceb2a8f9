import { ConsolePage } from '#app/features/console/console-page.tsx';
import { Loading } from '#app/ui/panel.tsx';

export default function CountRoute() {
  return (
    <ConsolePage title="Stock count">
      <Loading />
    </ConsolePage>
  );
}
