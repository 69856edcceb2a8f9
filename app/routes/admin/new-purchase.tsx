import { useSearchParams } from 'react-router';
import type { ScreenHandle } from '#app/features/console/data/current-screen.ts';
import { NewPurchasePage } from '#app/features/console/vendors/purchase-page.tsx';
import { idFrom } from '#app/features/console/vendors/vendor-data.ts';

export const handle: ScreenHandle = { title: 'New purchase order' };

export default function NewPurchaseRoute() {
  const [search] = useSearchParams();
  return <NewPurchasePage vendorId={idFrom(search.get('vendor'))} againId={idFrom(search.get('again'))} />;
}
