import { CustomerPage } from '#app/features/console/customers/customer-page.tsx';
import type { ScreenHandle } from '#app/features/console/data/current-screen.ts';
import type { Route } from './+types/customer.ts';

export const handle: ScreenHandle = { title: 'Customer', opens: 'customer' };

export default function CustomerRoute({ params: { id } }: Route.ComponentProps) {
  return <CustomerPage key={id} id={id} />;
}
