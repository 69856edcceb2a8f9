import { createHmac } from 'node:crypto';
import type { Sql } from 'postgres';
import type { PaymentProvider } from '../../adapters/payments/provider.ts';
import { createRazorpay } from '../../adapters/payments/razorpay.ts';
import { createSimulator, SIMULATOR_URL, type Simulator } from '../../adapters/payments/simulator.ts';
import { createSimulatorStore, prepareSimulatorStore } from './simulator-store.ts';

export type DemoPaymentsOptions = {
  sql: Sql;
  /** Everything secret here is derived from it. */
  secret: string;
  apiUrl: string;
  /** Our own paymentWebhook function. */
  webhook(request: Request): Promise<Response>;
};

/** Test payments: the real adapter, talking to the simulated provider instead of the network. */
export async function createDemoPayments({ sql, secret, apiUrl, webhook }: DemoPaymentsOptions): Promise<{
  provider: PaymentProvider;
  simulator: Simulator;
}> {
  await prepareSimulatorStore(sql);
  await knowSeededPayments(sql);
  const keys = testProviderKeys(secret);
  const simulator = createSimulator({
    ...keys,
    store: createSimulatorStore(sql),
    now: Date.now,
    async deliver({ body, signature, eventId }) {
      const response = await webhook(
        new Request(`${apiUrl}/functions/v1/paymentWebhook`, {
          method: 'POST',
          headers: { 'x-razorpay-signature': signature, 'x-razorpay-event-id': eventId },
          body,
        }),
      );
      if (!response.ok) throw new Error(`the webhook answered ${response.status}`);
    },
  });
  return {
    provider: createRazorpay({ ...keys, kind: 'test', baseUrl: SIMULATOR_URL, fetch: simulator.fetch }),
    simulator,
  };
}

/** What the shop and its test provider know of each other. */
export function testProviderKeys(secret: string): { keyId: string; keySecret: string; webhookSecret: string } {
  const derived = (what: string) => createHmac('sha256', secret).update(what).digest('hex');
  return {
    keyId: 'rzp_test_demo',
    keySecret: derived('test payments'),
    webhookSecret: derived('test payment webhooks'),
  };
}

/** The demo shop was filled with payments: their provider must know them, or none could be given back. */
async function knowSeededPayments(sql: Sql): Promise<void> {
  await sql`
    with orders as (
      insert into demo.provider_orders (id, receipt, amount_paise, created_at)
      select p.provider_order_id, coalesce(p.order_id, p.group_id)::text, p.amount_paise, extract(epoch from p.created_at)::bigint
      from private.payments p where p.payment_id like 'pay\_demo%' on conflict do nothing
      returning id
    )
    insert into demo.provider_payments (id, order_id, amount_paise, status, refunded_paise, created_at, webhook, refund_fails)
    select p.payment_id, p.provider_order_id, p.amount_paise, 'captured',
           (select coalesce(sum(r.amount_paise), 0) from private.refunds r
            where r.payment_id = p.payment_id and r.status = 'processed'),
           extract(epoch from p.created_at)::bigint, 'normal', false
    from private.payments p join orders o on o.id = p.provider_order_id`;
}
