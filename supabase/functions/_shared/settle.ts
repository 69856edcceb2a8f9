import type { ProviderPayment } from '../../../adapters/payments/provider.ts';
import { call, type ResultOf } from '../../contracts/contract.ts';
import { settlePayment } from '../../contracts/payments.ts';
import type { WorkerContext } from './context.ts';

export type Settled = ResultOf<typeof settlePayment>;

/** An order or a refund from a payment that is captured, or can be now; null while it is neither. */
export async function settle({ db, payments, now }: WorkerContext, payment: ProviderPayment): Promise<Settled | null> {
  if (!payments) return null;
  const taken = payment.status === 'authorized' ? await payments.capture(payment.id, payment.amountPaise) : payment;
  // 'refunded' was captured once and given back, by whom ever: it belongs into the books, and nobody gets sweets for it.
  if (taken.status !== 'captured' && taken.status !== 'refunded') return null;
  return call(db.rpc, settlePayment, {
    provider_order_id: taken.orderId,
    payment_id: taken.id,
    amount_paise: taken.amountPaise,
    currency: taken.currency,
    method: taken.method,
    fee_paise: taken.feePaise,
    is_refunded_by_provider: taken.status === 'refunded',
    at: now().toISOString(),
  });
}
