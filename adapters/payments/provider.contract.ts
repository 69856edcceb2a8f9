import { afterAll, beforeAll, describe } from 'vitest';
import { describeOrders } from './contract/orders.ts';
import { describePayments } from './contract/payments.ts';
import { describeRefunds } from './contract/refunds.ts';
import { createStage, type ProviderUnderTest } from './contract/stage.ts';
import { describeTrouble } from './contract/trouble.ts';
import { describeWebhooks } from './contract/webhooks.ts';

export const contractKeys = { keyId: 'rzp_test_contract', keySecret: 'key-secret', webhookSecret: 'webhook-secret' };
/** Long enough for a busy machine, short enough for the few tests that wait for it. */
export const contractTimes = { timeoutMs: 1500, lateMs: 200, hangMs: 20_000, retryDelaysMs: [10, 20] };

/** What every provider promises, whatever stands between it and the one who keeps the money. */
export function describeProvider(name: string, start: () => Promise<ProviderUnderTest>): void {
  describe(name, () => {
    let under: ProviderUnderTest;
    beforeAll(async () => {
      under = await start();
    });
    afterAll(() => under.close());

    const stage = createStage(() => under);
    describeOrders(stage);
    describePayments(stage);
    describeRefunds(stage);
    describeTrouble(stage);
    describeWebhooks(stage);
  });
}
