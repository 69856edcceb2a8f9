import { ConsolePage } from '#app/features/console/console-page.tsx';
import { Loading } from '#app/ui/panel.tsx';

export default function ProfitRoute() {
  return (
    <ConsolePage title="Profit and loss">
      <Loading />
    </ConsolePage>
  );
}
