import { ConsolePage } from '#app/features/console/console-page.tsx';
import { Loading } from '#app/ui/panel.tsx';

export default function GreetingsRoute() {
  return (
    <ConsolePage title="Greetings">
      <Loading />
    </ConsolePage>
  );
}
