import { data, href, Link } from 'react-router';
import type { ScreenHandle } from '#app/features/console/data/current-screen.ts';
import { ConsolePage } from '#app/features/console/frame/console-page.tsx';
import { EmptyState } from '#app/ui/empty-state.tsx';

export const handle: ScreenHandle = { title: 'Not found' };

export function loader() {
  return data(null, { status: 404 });
}

export default function NotFoundRoute() {
  return (
    <ConsolePage title="Not found">
      <EmptyState
        title="We can’t find that page."
        action={<Link to={href('/admin/dashboard')}>Go to dashboard</Link>}
      />
    </ConsolePage>
  );
}
