import type { ScreenHandle } from '#app/features/console/data/current-screen.ts';
import { OrderPage } from '#app/features/console/orders/detail/order-page.tsx';
import type { Route } from './+types/order.ts';

export const handle: ScreenHandle = { title: 'Order', opens: 'order' };

export default function OrderRoute({ params: { id } }: Route.ComponentProps) {
  return <OrderPage key={id} orderId={id} />;
}
