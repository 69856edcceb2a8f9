import type { ScreenHandle } from '#app/features/console/data/current-screen.ts';
import { GroupPage } from '#app/features/console/orders/group/group-page.tsx';
import type { Route } from './+types/group-order.ts';

export const handle: ScreenHandle = { title: 'Group order' };

export { ErrorBoundary } from './screen.tsx';

export default function GroupOrderRoute({ params: { id } }: Route.ComponentProps) {
  return <GroupPage key={id} groupId={id} />;
}
