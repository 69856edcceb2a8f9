import { OrderPage } from '#app/features/console/order/order-page.tsx';
import type { ScreenProps } from './screens.ts';

export default function OrderRoute({ params: { id = '' } }: ScreenProps) {
  return <OrderPage key={id} orderId={id} />;
}
