import type { ScreenHandle } from '#app/features/console/data/current-screen.ts';
import { PurchasePage } from '#app/features/console/vendors/purchase-page.tsx';
import { idFrom } from '#app/features/console/vendors/vendor-data.ts';
import type { Route } from './+types/purchase.ts';

export const handle: ScreenHandle = { title: 'Purchase order' };

export default function PurchaseRoute({ params: { id } }: Route.ComponentProps) {
  return <PurchasePage purchaseId={idFrom(id)} />;
}
