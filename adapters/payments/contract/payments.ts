import { describe, expect, test } from 'vitest';
import { type Harness, rejectedError } from './harness.ts';

export function describePayments(harness: Harness): void {
  const { newOrder, paid, failed } = harness;

  describe('a payment', () => {
    test('is captured over the amount of its order, with a fee', async () => {
      const order = await newOrder();
      const { id } = await paid(order.id);
      const payment = {
        id,
        orderId: order.id,
        amountPaise: 129_950,
        currency: 'INR',
        status: 'captured',
        method: 'upi',
        feePaise: 3067,
        refundedPaise: 0,
      };
      expect(await harness.under().provider.payment(id)).toEqual(payment);
      expect(await harness.under().provider.paymentsOf(order.id)).toEqual([payment]);
    });

    test('can fail several times before it succeeds', async () => {
      const order = await newOrder();
      const error = await failed(order.id);
      expect(error).toMatchObject({ code: 'BAD_REQUEST_ERROR', metadata: { order_id: order.id } });
      expect(await harness.under().provider.payment(error.metadata.payment_id ?? '')).toMatchObject({
        status: 'failed',
      });
      await failed(order.id);
      await paid(order.id);
      const statuses = (await harness.under().provider.paymentsOf(order.id)).map(({ status }) => status);
      expect(statuses.sort()).toEqual(['captured', 'failed', 'failed']);
    });

    test('is captured once, however often and fast the customer pays', async () => {
      const order = await newOrder();
      const answers = await Promise.all(
        Array.from({ length: 10 }, () => harness.under().simulator.pay(order.id, { outcome: 'pay' })),
      );
      const refused = answers.filter((answer) => 'error' in answer);
      expect(refused.map(({ error }) => error.description)).toEqual(Array(9).fill('Order already paid'));
      expect(await harness.under().provider.paymentsOf(order.id)).toHaveLength(1);
      expect((await failed(order.id)).description).toBe('Order already paid');
    });

    test('is signed for its own order only', async () => {
      const [order, other] = [await newOrder(), await newOrder()];
      const { id, signature } = await paid(order.id);
      const isSigned = harness.under().provider.isPaymentSigned;
      expect(await isSigned(order.id, id, signature)).toBe(true);
      expect(await isSigned(other.id, id, signature)).toBe(false);
      expect(await isSigned(order.id, 'pay_other', signature)).toBe(false);
      expect(await isSigned(order.id, id, signature.toUpperCase())).toBe(false);
      expect(await isSigned(order.id, id, '')).toBe(false);
    });

    test('that hangs is made all the same', async () => {
      const order = await newOrder();
      const answer = await harness
        .under()
        .simulator.pay(order.id, { outcome: 'pay', hang: true }, AbortSignal.timeout(50));
      expect(answer).toMatchObject({ error: { code: 'GATEWAY_ERROR' } });
      expect(await harness.under().provider.paymentsOf(order.id)).toMatchObject([{ status: 'captured' }]);
    });

    test('that failed may be captured later', async () => {
      const order = await newOrder();
      const error = await failed(order.id, { outcome: 'pay', capture: 'after-failing', webhook: 'never' });
      await harness.under().simulator.settled();
      expect(await harness.under().provider.paymentsOf(order.id)).toMatchObject([
        { id: error.metadata.payment_id, status: 'captured' },
      ]);
    });

    test('that does not exist is null, or rejected', async () => {
      for (const id of ['pay_unknown', '', '../orders', 'pay_1?x=1', 'p'.repeat(41)]) {
        expect(await harness.under().provider.payment(id)).toBeNull();
        expect(await harness.under().provider.refundById(id)).toBeNull();
        expect(await harness.under().provider.isPaymentSigned(id, id, 'a'.repeat(64))).toBe(false);
        await expect(harness.under().provider.paymentsOf(id)).rejects.toMatchObject(rejectedError);
        await expect(harness.under().provider.capture(id, 500)).rejects.toMatchObject(rejectedError);
      }
      expect(await harness.under().simulator.pay('order_unknown', { outcome: 'pay' })).toHaveProperty('error');
    });
  });

  describe('an authorized payment', () => {
    test('is captured over exactly its amount', async () => {
      const order = await newOrder(500);
      const { id } = await paid(order.id, { capture: 'authorize-only' });
      expect(await harness.under().provider.payment(id)).toMatchObject({ status: 'authorized', feePaise: null });
      await expect(harness.under().provider.capture(id, 499)).rejects.toMatchObject(rejectedError);
      await expect(harness.under().provider.capture(id, 501)).rejects.toMatchObject(rejectedError);
      expect(await harness.under().provider.capture(id, 500)).toMatchObject({
        id,
        status: 'captured',
        amountPaise: 500,
      });
    });

    test('captured again, or by ten at once, is returned as captured', async () => {
      const order = await newOrder(500);
      const { id } = await paid(order.id, { capture: 'authorize-only' });
      const captures = await Promise.all(Array.from({ length: 10 }, () => harness.under().provider.capture(id, 500)));
      expect(captures.map(({ status }) => status)).toEqual(Array(10).fill('captured'));
      await expect(harness.under().provider.capture(id, 499)).rejects.toMatchObject(rejectedError);
    });

    test('is not captured beside another one of the same order', async () => {
      const order = await newOrder(500);
      const { id } = await paid(order.id, { capture: 'authorize-only' });
      await paid(order.id);
      await expect(harness.under().provider.capture(id, 500)).rejects.toMatchObject(rejectedError);
    });

    test('that failed is not captured', async () => {
      const order = await newOrder(500);
      const { metadata } = await failed(order.id);
      await expect(harness.under().provider.capture(metadata.payment_id ?? '', 500)).rejects.toMatchObject(
        rejectedError,
      );
    });
  });
}
