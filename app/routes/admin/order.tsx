import { useParams } from 'react-router';
import { OrderPage } from '#app/features/console/order/order-page.tsx';

export default function OrderRoute() {
  const { id = '' } = useParams();
  return <OrderPage key={id} orderId={id} />;
}
