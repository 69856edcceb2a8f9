import { OrderPage } from '#app/features/console/order/order-page.tsx';
import type { Route } from './+types/order.ts';

export default function OrderRoute({ params }: Route.ComponentProps) {
  return <OrderPage key={params.id} orderId={params.id} />;
}
