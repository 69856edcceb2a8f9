import { CustomerPage } from '#app/features/console/customers/customer-page.tsx';
import type { ScreenProps } from './screens.ts';

export default function CustomerRoute({ params: { id = '' } }: ScreenProps) {
  return <CustomerPage key={id} id={id} />;
}
