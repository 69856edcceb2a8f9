import { describe, expect, test } from 'vitest';
import { ProviderError } from '../provider.ts';
import { type Harness, unavailableError } from './harness.ts';

export function describeFailures(harness: Harness): void {
  const { newReceipt, newOrder, paid } = harness;

  describe('failures', () => {
    test.each([
      ['429', 429],
      ['409', 409],
      ['500', 500],
      ['garbage', 200],
    ] as const)('%s is an unavailableError for every question', async (fault, status) => {
      const { id } = await paid((await newOrder(1000)).id);
      const { provider } = harness.under();
      const idempotencyKey = crypto.randomUUID();
      const questions = [
        () => provider.orderFor(newReceipt(), 500),
        () => provider.orderFor(newReceipt(), 500, { mayExist: false }),
        () => provider.payment(id),
        () => provider.paymentsOf('order_any'),
        () => provider.capture(id, 1000),
        () => provider.refund({ paymentId: id, amountPaise: 1000, idempotencyKey, reason: 'trouble' }),
        () => provider.refundById('rfnd_any'),
      ];
      for (const question of questions) {
        harness.under().simulator.faults.next = [{ match: /./, fault }];
        const error = await question().catch((thrown: unknown) => thrown);
        expect(error).toBeInstanceOf(ProviderError);
        expect(error).toMatchObject({ ...unavailableError, status });
      }
      expect(await provider.payment(id)).toMatchObject({ refundedPaise: 0 });
    });
  });
}
