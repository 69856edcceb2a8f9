import { describe, expect, test } from 'vitest';
import { type Harness, rejectedError, unavailableError } from './harness.ts';

export function describeRefunds(harness: Harness): void {
  const { newOrder, paid } = harness;

  describe('a refund', () => {
    const newKey = (): string => crypto.randomUUID();
    const refund = (paymentId: string, amountPaise: number, idempotencyKey = newKey()) =>
      harness.under().provider.refund({ paymentId, amountPaise, idempotencyKey, reason: 'sold out' });

    test('gives back a part, then the rest, and no more', async () => {
      const order = await newOrder(1000);
      const { id } = await paid(order.id);
      const part = await refund(id, 300);
      expect(part).toEqual({
        id: expect.stringMatching(/^rfnd_/),
        paymentId: id,
        amountPaise: 300,
        status: 'processed',
        bankReference: expect.stringMatching(/^\d{23}$/),
      });
      expect(await harness.under().provider.refundById(part.id)).toEqual(part);
      expect(await harness.under().provider.payment(id)).toMatchObject({ status: 'captured', refundedPaise: 300 });
      await expect(refund(id, 701)).rejects.toMatchObject(rejectedError);
      await refund(id, 700);
      expect(await harness.under().provider.payment(id)).toMatchObject({ status: 'refunded', refundedPaise: 1000 });
      await expect(refund(id, 1)).rejects.toMatchObject(rejectedError);
      expect(await harness.under().provider.orderFor(order.receipt, 1000)).toMatchObject({ status: 'paid' });
    });

    test('with the same key is the same, even at once', async () => {
      const { id } = await paid((await newOrder(1000)).id);
      const key = newKey();
      const refunds = await Promise.all(Array.from({ length: 10 }, () => refund(id, 300, key)));
      expect(new Set(refunds.map((made) => made.id)).size).toBe(1);
      expect(await harness.under().provider.payment(id)).toMatchObject({ refundedPaise: 300 });
    });

    test('with the same key and another amount conflicts', async () => {
      const { id } = await paid((await newOrder(1000)).id);
      const key = newKey();
      await refund(id, 300, key);
      await expect(refund(id, 400, key)).rejects.toMatchObject({ name: 'ProviderError', status: 409 });
      expect(await harness.under().provider.payment(id)).toMatchObject({ refundedPaise: 300 });
    });

    test('never gives back more than was paid, however many come at once', async () => {
      const { id } = await paid((await newOrder(1000)).id);
      const outcomes = await Promise.allSettled(Array.from({ length: 10 }, () => refund(id, 300)));
      expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(3);
      expect(await harness.under().provider.payment(id)).toMatchObject({ refundedPaise: 900 });
    });

    test('whose response was lost is found by its key', async () => {
      const { id } = await paid((await newOrder(1000)).id);
      const key = newKey();
      harness.under().simulator.faults.next = [{ match: /POST .*\/refund/, fault: 'hang-after-commit' }];
      await expect(refund(id, 1000, key)).rejects.toMatchObject(unavailableError);
      expect(await refund(id, 1000, key)).toMatchObject({ amountPaise: 1000, status: 'processed' });
      expect(await harness.under().provider.payment(id)).toMatchObject({ refundedPaise: 1000 });
    });

    test('that fails is pending first, and takes nothing', async () => {
      const { id } = await paid((await newOrder(1000)).id, { refundFails: true });
      const made = await refund(id, 1000);
      expect(made.status).toBe('pending');
      expect(await harness.under().provider.refundById(made.id)).toEqual({
        ...made,
        status: 'failed',
        bankReference: null,
      });
      expect(await harness.under().provider.payment(id)).toMatchObject({ status: 'captured', refundedPaise: 0 });
    });

    test('needs a captured payment, an amount and a key', async () => {
      const order = await newOrder(1000);
      const { id } = await paid(order.id, { capture: 'authorize-only' });
      await expect(refund(id, 1000)).rejects.toMatchObject(rejectedError);
      await expect(refund('pay_unknown', 1000)).rejects.toMatchObject(rejectedError);
      await expect(refund('../orders', 1000)).rejects.toMatchObject(rejectedError);
      await harness.under().provider.capture(id, 1000);
      for (const amount of [0, -1, 0.5, Number.NaN])
        await expect(refund(id, amount)).rejects.toMatchObject(rejectedError);
      for (const key of ['', 'short', 'with spaces in it', 'line\nbreak-here'])
        await expect(refund(id, 1000, key)).rejects.toMatchObject(rejectedError);
    });
  });
}
