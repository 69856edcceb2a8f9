import { z } from 'zod';
import { ProviderError } from '../../../adapters/payments/provider.ts';
import { paymentWindowMinutes } from '../../../domain/checkout/hold-times.ts';
import { attachProviderOrder, openCheckout } from '../../contracts/checkout.ts';
import { call } from '../../contracts/contract.ts';
import type { FunctionContext } from '../_shared/context.ts';
import { postedBody } from '../_shared/input.ts';
import { problem } from '../_shared/problem.ts';
import { refuse } from '../_shared/refusals.ts';

const Rupees = z
  .number()
  .min(1)
  .max(10_000_000)
  .refine((rupees) => Math.abs(rupees * 100 - Math.round(rupees * 100)) < 1e-6, 'has at most two decimals')
  .transform((rupees) => Math.round(rupees * 100));
const Body = z.strictObject({ amount: Rupees, currency: z.literal('INR'), quote_id: z.uuid().optional() });

/** Binds a quote, holds its stock and asks the provider for an order to pay. Repeated, it answers the same. */
export async function createOrder(request: Request, context: FunctionContext): Promise<Response> {
  const { db, customer, payments, now } = context;
  if (request.method === 'POST' && !customer)
    return problem(401, 'sign-in-required', 'You need to log in to proceed with the purchase.');
  const posted = await postedBody(request, Body);
  if (!posted.ok) return posted.response;
  if (!payments) return problem(503, 'no-payments', 'We don’t take online payments yet. Please write to us.');

  const checkout = await call(db.rpc, openCheckout, {
    customer_id: customer?.id ?? null,
    amount_paise: posted.body.amount,
    quote_id: posted.body.quote_id ?? null,
    at: now().toISOString(),
    ...(context.addressHash && { ip_hash: context.addressHash }),
  });
  if (!checkout.ok) return refuse(checkout);

  let id = checkout.provider_order_id;
  if (!id) {
    try {
      // No lock is held here. A repeat may find the order of an attempt whose answer never came.
      const order = await payments.orderFor(checkout.checkout_id, checkout.amount_paise, {
        mayExist: !checkout.is_new,
      });
      id = await call(db.rpc, attachProviderOrder, {
        checkout_id: checkout.checkout_id,
        provider_order_id: order.id,
      });
    } catch (error) {
      if (!(error instanceof ProviderError)) throw error;
      context.report('the provider gave no order', error);
      return problem(
        503,
        'payments-away',
        'We can’t take payments right now. Nothing was charged. Please try again in a minute.',
        {
          'retry-after': '30',
        },
      );
    }
  }
  return Response.json(
    {
      id,
      currency: 'INR',
      amount: checkout.amount_paise,
      provider: payments.kind,
      key: payments.keyId,
      name: checkout.shop,
      prefill: { name: checkout.name, email: checkout.email ?? '', contact: checkout.phone },
      timeout: paymentWindowMinutes * 60,
    },
    { status: 201 },
  );
}
