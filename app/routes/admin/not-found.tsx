import { Link } from 'react-router';
import { ConsolePage } from '#app/features/console/frame/console-page.tsx';
import { EmptyState } from '#app/ui/empty-state.tsx';

export default function NotFoundRoute() {
  return (
    <ConsolePage title="Not found">
      <EmptyState title="We can’t find that page." action={<Link to="/admin/dashboard">Go to dashboard</Link>} />
    </ConsolePage>
  );
}
