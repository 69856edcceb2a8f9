import { ConsolePage } from '#app/features/console/console-page.tsx';
import { Loading } from '#app/ui/panel.tsx';

export default function ExpensesRoute() {
  return (
    <ConsolePage title="Expenses">
      <Loading />
    </ConsolePage>
  );
}
