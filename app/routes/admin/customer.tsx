import { useParams } from 'react-router';
import { CustomerPage } from '#app/features/console/customers/customer-page.tsx';

export default function CustomerRoute() {
  const { id = '' } = useParams();
  return <CustomerPage key={id} id={id} />;
}
