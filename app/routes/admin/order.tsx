import { OrderPage } from '#app/features/console/orders/detail/order-page.tsx';
import type { ScreenProps } from './screens.ts';

export default function OrderRoute({ params: { id = '' } }: ScreenProps) {
  return <OrderPage key={id} orderId={id} />;
}
