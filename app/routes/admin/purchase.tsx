import { useLocation } from 'react-router';
import { NewPurchasePage, PurchasePage } from '#app/features/console/vendors/purchase-page.tsx';
import { idFrom } from '#app/features/console/vendors/vendor-data.ts';
import type { ScreenProps } from './screens.ts';

export default function PurchaseRoute({ params: { id } }: ScreenProps) {
  const search = new URLSearchParams(useLocation().search);
  if (id === 'new')
    return <NewPurchasePage vendorId={idFrom(search.get('vendor'))} againId={idFrom(search.get('again'))} />;
  return <PurchasePage purchaseId={idFrom(id)} />;
}
