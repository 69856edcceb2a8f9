import { call } from '../../contracts/contract.ts';
import { recordPaymentEvent } from '../../contracts/payments.ts';
import type { FunctionContext } from '../_shared/context.ts';
import { problem } from '../_shared/problem.ts';

/** Stores the webhook and acknowledges it at once; the worker then queries the provider. */
export async function paymentWebhook(
  request: Request,
  { db, payments, now, wake }: FunctionContext,
): Promise<Response> {
  if (request.method !== 'POST') return problem(405, 'method-not-allowed', 'Use POST.', { allow: 'POST' });
  if (!payments) return problem(503, 'no-payments', 'This shop does not take payments yet.');
  const event = await payments.readEvent(await request.text().catch(() => ''), request.headers);
  if (!event) return problem(400, 'bad-signature', 'This event is not signed by the payment provider.');
  const isNew = await call(db.rpc, recordPaymentEvent, {
    event_id: event.id,
    name: event.name,
    provider_order_id: event.orderId,
    payment_id: event.paymentId,
    provider_refund_id: event.refundId,
    at: now().toISOString(),
  });
  if (isNew) wake();
  return Response.json({ received: true });
}
