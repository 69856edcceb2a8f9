import { idFrom } from '#app/features/console/vendors/vendor-data.ts';
import { NewVendorPage, VendorPage } from '#app/features/console/vendors/vendor-page.tsx';
import type { Route } from './+types/vendor.ts';

export default function VendorRoute({ params }: Route.ComponentProps) {
  if (params.id === 'new') return <NewVendorPage />;
  return <VendorPage vendorId={idFrom(params.id) ?? 0} />;
}
