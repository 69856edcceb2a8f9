import { CustomerPage } from '#app/features/console/customers/customer-page.tsx';
import type { Route } from './+types/customer.ts';

export default function CustomerRoute({ params: { id } }: Route.ComponentProps) {
  return <CustomerPage key={id} id={id} />;
}
