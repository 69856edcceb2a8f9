import { z } from 'zod';
import type { ProviderEvent, ProviderOrder, ProviderPayment, ProviderRefund } from './provider.ts';

/** Ids become parts of addresses and of signed texts, so nothing else may stand in them. */
export const ProviderId = z.string().regex(/^[A-Za-z0-9_]{1,40}$/);

const BankReference = z
  .string()
  .regex(/^[A-Za-z0-9]{1,40}$/)
  .nullish()
  .catch(null);

const Paise = z.int().nonnegative();

export const OrderResponse = z.object({
  id: ProviderId,
  amount: Paise,
  currency: z.literal('INR'),
  receipt: z.string().nullable(),
  status: z.enum(['created', 'attempted', 'paid']),
  created_at: z.number(),
});
export type OrderResponse = z.infer<typeof OrderResponse>;

export const PaymentResponse = z.object({
  id: ProviderId,
  /** Payments outside of our shop (a payment link, say) have none. */
  order_id: ProviderId.nullish(),
  amount: Paise,
  currency: z.string(),
  status: z.enum(['created', 'authorized', 'captured', 'refunded', 'failed']),
  method: z.string().nullish(),
  fee: Paise.nullish(),
  amount_refunded: Paise.nullish(),
});
export type PaymentResponse = z.infer<typeof PaymentResponse>;

export const RefundResponse = z.object({
  id: ProviderId,
  payment_id: ProviderId,
  amount: Paise,
  status: z.enum(['pending', 'processed', 'failed']),
  /** Which of these it has depends on how it was paid; a reference of another form is no reason to refuse the refund. */
  acquirer_data: z.object({ arn: BankReference, rrn: BankReference, utr: BankReference }).nullish().catch(null),
});
export type RefundResponse = z.infer<typeof RefundResponse>;

// Made once: zod compiles a schema when it is first used.
export const OrderListResponse = z.object({ items: z.array(OrderResponse) });
export const PaymentListResponse = z.object({ items: z.array(PaymentResponse) });

export function parseOrder(response: OrderResponse): ProviderOrder {
  return { id: response.id, receipt: response.receipt ?? '', amountPaise: response.amount, status: response.status };
}

/** null for a payment that belongs to no order. */
export function parsePayment(response: PaymentResponse): ProviderPayment | null {
  if (!response.order_id) return null;
  return {
    id: response.id,
    orderId: response.order_id,
    amountPaise: response.amount,
    currency: response.currency,
    status: response.status,
    method: response.method ?? null,
    feePaise: response.fee ?? null,
    refundedPaise: response.amount_refunded ?? 0,
  };
}

export function parseRefund(response: RefundResponse): ProviderRefund {
  const { id, payment_id, amount, status, acquirer_data: bank } = response;
  const bankReference = bank?.arn ?? bank?.rrn ?? bank?.utr ?? null;
  return { id, paymentId: payment_id, amountPaise: amount, status, bankReference };
}

const OptionalId = ProviderId.nullish().catch(null);
const entity = <Shape extends z.ZodRawShape>(shape: Shape) => z.object({ entity: z.object(shape) }).optional();

const EventBody = z.object({
  event: z.string().regex(/^[\w.]{1,100}$/),
  payload: z.object({
    order: entity({ id: OptionalId }),
    payment: entity({ id: OptionalId, order_id: OptionalId }),
    refund: entity({ id: OptionalId, payment_id: OptionalId }),
  }),
});

/** What a signed body tells; null when it is no event. */
export function parseEvent(rawBody: string): Omit<ProviderEvent, 'id'> | null {
  let body: unknown;
  try {
    body = JSON.parse(rawBody);
  } catch {
    return null;
  }
  const event = EventBody.safeParse(body);
  if (!event.success) return null;
  const { order, payment, refund } = event.data.payload;
  return {
    name: event.data.event,
    orderId: order?.entity.id ?? payment?.entity.order_id ?? null,
    paymentId: payment?.entity.id ?? refund?.entity.payment_id ?? null,
    refundId: refund?.entity.id ?? null,
  };
}
