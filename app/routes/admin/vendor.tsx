import { idFrom } from '#app/features/console/vendors/vendor-data.ts';
import { NewVendorPage, VendorPage } from '#app/features/console/vendors/vendor-page.tsx';
import type { ScreenProps } from './screens.ts';

export default function VendorRoute({ params: { id } }: ScreenProps) {
  if (id === 'new') return <NewVendorPage />;
  return <VendorPage vendorId={idFrom(id) ?? 0} />;
}
