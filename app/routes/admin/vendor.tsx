import type { ScreenHandle } from '#app/features/console/data/current-screen.ts';
import { idFrom } from '#app/features/console/vendors/vendor-data.ts';
import { VendorPage } from '#app/features/console/vendors/vendor-page.tsx';
import type { Route } from './+types/vendor.ts';

export const handle: ScreenHandle = { title: 'Vendor', opens: 'vendor' };

export default function VendorRoute({ params: { id } }: Route.ComponentProps) {
  return <VendorPage vendorId={idFrom(id) ?? 0} />;
}
