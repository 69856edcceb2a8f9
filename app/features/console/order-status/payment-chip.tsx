import { Badge } from '#app/ui/panel.tsx';
import type { PaymentStatus } from '#domain/orders/payment-status.ts';
import type { OrderStatus } from '#domain/orders/status.ts';
import { paymentWords } from './order-words.ts';

type PaymentChipProps = { status: OrderStatus; payment: PaymentStatus };

/** Whether the payment says what the status does not say already: a refunded order is refunded. */
export const saysMore = ({ status, payment }: PaymentChipProps): boolean =>
  !(status === 'Refunded' && payment === 'refunded');

/** How the payment of an order stands, beside its status. */
export function PaymentChip(props: PaymentChipProps) {
  if (!saysMore(props)) return null;
  const { title, tone } = paymentWords[props.payment];
  return <Badge tone={tone}>{title}</Badge>;
}
