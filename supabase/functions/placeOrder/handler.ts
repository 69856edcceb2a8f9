import { z } from 'zod';
import { ProviderError, type ProviderPayment } from '../../../adapters/payments/provider.ts';
import { refundReason } from '../../../domain/orders/refund-reason.ts';
import type { FunctionContext } from '../_shared/context.ts';
import { ProviderId, postedBody } from '../_shared/input.ts';
import { problem } from '../_shared/problem.ts';
import { settle } from '../_shared/settle.ts';

const Body = z.strictObject({
  provider_order_id: ProviderId,
  payment_id: ProviderId,
  signature: z.string().min(1).max(200),
});

/** The browser reports a payment. Signature and provider decide whether it was made. */
export async function placeOrder(request: Request, context: FunctionContext): Promise<Response> {
  const { customer, payments } = context;
  if (request.method === 'POST' && !customer) return problem(401, 'sign-in-required', 'User not authenticated');
  const posted = await postedBody(request, Body);
  if (!posted.ok) return posted.response;
  if (!payments) return problem(503, 'no-payments', 'We don’t take online payments yet. Please write to us.');
  const { provider_order_id, payment_id, signature } = posted.body;
  if (!(await payments.isPaymentSigned(provider_order_id, payment_id, signature)))
    return problem(
      400,
      'bad-signature',
      'The payment provider hasn’t confirmed this payment. If money was taken, it becomes an order or is refunded automatically.',
    );

  let payment: ProviderPayment | null;
  try {
    payment = await payments.payment(payment_id);
    if (payment && payment.orderId !== provider_order_id)
      return problem(
        400,
        'bad-signature',
        'The payment provider hasn’t confirmed this payment. If money was taken, it becomes an order or is refunded automatically.',
      );
    const settled = payment && (await settle(context, payment));
    if (settled) context.wake();
    if (settled?.outcome === 'unknown-order' || (settled && settled.user_id !== customer?.id))
      return problem(404, 'unknown-order', 'We couldn’t find an order for this payment.');
    if (settled?.outcome === 'ordered')
      return Response.json(
        {
          order_id: settled.order_id,
          number: settled.number,
          ...(settled.group_id && { group_id: settled.group_id }),
        },
        { status: 201 },
      );
    if (settled?.outcome === 'refunded') return problem(409, 'payment-refunded', refundSentence(settled.reason));
  } catch (error) {
    if (!(error instanceof ProviderError)) throw error;
    context.report('a payment could not be confirmed yet', error);
  }
  return Response.json({ status: 'confirming' }, { status: 202 });
}

function refundSentence(reason: string): string {
  const isBack = reason === 'given-back';
  return isBack
    ? refundReason(reason)
    : `${refundReason(reason)} We’re refunding your payment. It takes up to 7 business days.`;
}
