import { useSearchParams } from 'react-router';
import { NewPurchasePage, PurchasePage } from '#app/features/console/vendors/purchase-page.tsx';
import { idFrom } from '#app/features/console/vendors/vendor-data.ts';
import type { Route } from './+types/purchase.ts';

export default function PurchaseRoute({ params }: Route.ComponentProps) {
  const [search] = useSearchParams();
  if (params.id === 'new')
    return <NewPurchasePage vendorId={idFrom(search.get('vendor'))} againId={idFrom(search.get('again'))} />;
  return <PurchasePage purchaseId={idFrom(params.id)} />;
}
