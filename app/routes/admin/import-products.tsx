import { ConsolePage } from '#app/features/console/console-page.tsx';
import { Loading } from '#app/ui/panel.tsx';

export default function ImportProductsRoute() {
  return (
    <ConsolePage title="Import products">
      <Loading />
    </ConsolePage>
  );
}
