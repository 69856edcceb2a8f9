import { ProviderError } from '../../../adapters/payments/provider.ts';
import { paymentWindowMinutes } from '../../../domain/checkout/hold-times.ts';
import { attachProviderOrder } from '../../contracts/checkout.ts';
import { call } from '../../contracts/contract.ts';
import type { FunctionContext } from './context.ts';
import { problem } from './problem.ts';

/** What is paid for: a checkout, or a group of them. */
type Payable = {
  id: string;
  amount_paise: number;
  provider_order_id: string | null;
  is_new: boolean;
  name: string;
  phone: string;
  email: string | null;
  shop: string;
};

/** Creates the provider's order, or finds it again, and answers what the payment widget needs. */
export async function orderAtProvider(
  { db, report }: FunctionContext,
  payments: NonNullable<FunctionContext['payments']>,
  payable: Payable,
  more: Record<string, unknown> = {},
): Promise<Response> {
  let id = payable.provider_order_id;
  if (!id) {
    try {
      // No lock is held here. A retry may find the order of an attempt whose response was lost.
      const order = await payments.orderFor(payable.id, payable.amount_paise, { mayExist: !payable.is_new });
      id = await call(db.rpc, attachProviderOrder, { checkout_id: payable.id, provider_order_id: order.id });
    } catch (error) {
      if (!(error instanceof ProviderError)) throw error;
      report('the provider gave no order', error);
      return problem(
        503,
        'payments-away',
        'We can’t take payments right now. Nothing was charged. Please try again in a minute.',
        { 'retry-after': '30' },
      );
    }
  }
  return Response.json(
    {
      id,
      currency: 'INR',
      amount: payable.amount_paise,
      provider: payments.kind,
      key: payments.keyId,
      name: payable.shop,
      prefill: { name: payable.name, email: payable.email ?? '', contact: payable.phone },
      timeout: paymentWindowMinutes * 60,
      ...more,
    },
    { status: 201 },
  );
}
