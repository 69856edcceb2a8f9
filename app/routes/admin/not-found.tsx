import { Link } from 'react-router';
import { ConsolePage } from '#app/features/console/frame/console-page.tsx';
import { Empty } from '#app/ui/panel.tsx';

export default function NotFoundRoute() {
  return (
    <ConsolePage title="Not found">
      <Empty title="We can’t find that page." action={<Link to="/admin/dashboard">Go to dashboard</Link>} />
    </ConsolePage>
  );
}
