import type { ScreenHandle } from '#app/features/console/data/current-screen.ts';
import { ClaimPage } from '#app/features/console/orders/claims/claim-page.tsx';
import type { Route } from './+types/claim.ts';

export const handle: ScreenHandle = { title: 'Claim' };

export default function ClaimRoute({ params: { id } }: Route.ComponentProps) {
  return <ClaimPage key={id} claimId={id} />;
}
