import { useParams } from 'react-router';
import { idFrom } from '#app/features/console/vendors/vendor-data.ts';
import { NewVendorPage, VendorPage } from '#app/features/console/vendors/vendor-page.tsx';

export default function VendorRoute() {
  const { id } = useParams();
  if (id === 'new') return <NewVendorPage />;
  return <VendorPage vendorId={idFrom(id) ?? 0} />;
}
