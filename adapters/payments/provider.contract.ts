import { afterAll, beforeAll, describe } from 'vitest';
import { describeFailures } from './contract/failures.ts';
import { createHarness, type ProviderUnderTest } from './contract/harness.ts';
import { describeOrders } from './contract/orders.ts';
import { describePayments } from './contract/payments.ts';
import { describeRefunds } from './contract/refunds.ts';
import { describeWebhooks } from './contract/webhooks.ts';

export const contractKeys = { keyId: 'rzp_test_contract', keySecret: 'key-secret', webhookSecret: 'webhook-secret' };
/** Long enough for a busy machine, short enough for the few tests that wait for it. */
export const contractTimes = { timeoutMs: 1500, lateMs: 200, hangMs: 20_000, retryDelaysMs: [10, 20] };

/** The contract that every payment provider fulfils. */
export function describeProvider(name: string, start: () => Promise<ProviderUnderTest>): void {
  describe(name, () => {
    let under: ProviderUnderTest;
    beforeAll(async () => {
      under = await start();
    });
    afterAll(() => under.close());

    const harness = createHarness(() => under);
    describeOrders(harness);
    describePayments(harness);
    describeRefunds(harness);
    describeFailures(harness);
    describeWebhooks(harness);
  });
}
