import { ConsolePage } from '#app/features/console/console-page.tsx';
import { Loading } from '#app/ui/panel.tsx';

export default function LogRoute() {
  return (
    <ConsolePage title="Change log">
      <Loading />
    </ConsolePage>
  );
}
