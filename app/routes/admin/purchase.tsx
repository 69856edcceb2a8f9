import { useParams, useSearchParams } from 'react-router';
import { NewPurchasePage, PurchasePage } from '#app/features/console/vendors/purchase-page.tsx';
import { idFrom } from '#app/features/console/vendors/vendor-data.ts';

export default function PurchaseRoute() {
  const { id } = useParams();
  const [search] = useSearchParams();
  if (id === 'new')
    return <NewPurchasePage vendorId={idFrom(search.get('vendor'))} againId={idFrom(search.get('again'))} />;
  return <PurchasePage purchaseId={idFrom(id)} />;
}
