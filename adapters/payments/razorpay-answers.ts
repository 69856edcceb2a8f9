import { z } from 'zod';
import type { ProviderEvent, ProviderOrder, ProviderPayment, ProviderRefund } from './provider.ts';

/** Ids become parts of addresses and of signed texts, so nothing else may stand in them. */
export const ProviderId = z.string().regex(/^[A-Za-z0-9_]{1,40}$/);

const Paise = z.int().nonnegative();

export const OrderAnswer = z.object({
  id: ProviderId,
  amount: Paise,
  currency: z.literal('INR'),
  receipt: z.string().nullable(),
  status: z.enum(['created', 'attempted', 'paid']),
  created_at: z.number(),
});
export type OrderAnswer = z.infer<typeof OrderAnswer>;

export const PaymentAnswer = z.object({
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
export type PaymentAnswer = z.infer<typeof PaymentAnswer>;

export const RefundAnswer = z.object({
  id: ProviderId,
  payment_id: ProviderId,
  amount: Paise,
  status: z.enum(['pending', 'processed', 'failed']),
});
export type RefundAnswer = z.infer<typeof RefundAnswer>;

// Made once: zod compiles a schema when it is first used.
export const OrderListAnswer = z.object({ items: z.array(OrderAnswer) });
export const PaymentListAnswer = z.object({ items: z.array(PaymentAnswer) });

export function orderFrom(answer: OrderAnswer): ProviderOrder {
  return { id: answer.id, receipt: answer.receipt ?? '', amountPaise: answer.amount, status: answer.status };
}

/** null for a payment that belongs to no order. */
export function paymentFrom(answer: PaymentAnswer): ProviderPayment | null {
  if (!answer.order_id) return null;
  return {
    id: answer.id,
    orderId: answer.order_id,
    amountPaise: answer.amount,
    currency: answer.currency,
    status: answer.status,
    method: answer.method ?? null,
    feePaise: answer.fee ?? null,
    refundedPaise: answer.amount_refunded ?? 0,
  };
}

export function refundFrom(answer: RefundAnswer): ProviderRefund {
  return { id: answer.id, paymentId: answer.payment_id, amountPaise: answer.amount, status: answer.status };
}

const IdOrNothing = ProviderId.nullish().catch(null);
const entity = <Shape extends z.ZodRawShape>(shape: Shape) => z.object({ entity: z.object(shape) }).optional();

const EventBody = z.object({
  event: z.string().regex(/^[\w.]{1,100}$/),
  payload: z.object({
    order: entity({ id: IdOrNothing }),
    payment: entity({ id: IdOrNothing, order_id: IdOrNothing }),
    refund: entity({ id: IdOrNothing, payment_id: IdOrNothing }),
  }),
});

/** What a signed body tells; null when it is no event. */
export function eventFrom(rawBody: string): Omit<ProviderEvent, 'id'> | null {
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
