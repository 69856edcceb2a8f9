import type { ProviderPayment } from '../../../adapters/payments/provider.ts';
import type { WorkerContext } from './context.ts';

export type Settled =
  | { outcome: 'ordered'; user_id: string | null; order_id: string; number: number }
  | { outcome: 'refunded'; user_id: string | null; reason: string }
  | { outcome: 'unknown-order' };

/** An order or a refund from a payment that is captured, or can be now; null while it is neither. */
export async function settle({ db, payments, now }: WorkerContext, payment: ProviderPayment): Promise<Settled | null> {
  if (!payments) return null;
  const taken = payment.status === 'authorized' ? await payments.capture(payment.id, payment.amountPaise) : payment;
  // 'refunded' was captured once and given back, by whom ever: it belongs into the books, and nobody gets sweets for it.
  if (taken.status !== 'captured' && taken.status !== 'refunded') return null;
  return (await db.rpc('settle_payment', {
    provider_order_id: taken.orderId,
    payment_id: taken.id,
    amount_paise: taken.amountPaise,
    currency: taken.currency,
    method: taken.method,
    fee_paise: taken.feePaise,
    given_back: taken.status === 'refunded',
    at: now().toISOString(),
  })) as unknown as Settled;
}
