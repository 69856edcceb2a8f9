import { describe, expect, test } from 'vitest';
import { type Harness, rejectedError, unavailableError } from './harness.ts';

export function describeOrders(harness: Harness): void {
  const { newReceipt, newOrder, paid, failed } = harness;

  describe('an order', () => {
    test('is created for a receipt, in whole paise', async () => {
      const receipt = newReceipt();
      const order = await harness.under().provider.orderFor(receipt, 129_951);
      expect(order).toEqual({
        id: expect.stringMatching(/^order_\w+$/),
        receipt,
        amountPaise: 129_951,
        status: 'created',
      });
    });

    test('is found again, paid or not', async () => {
      const receipt = newReceipt();
      const order = await harness.under().provider.orderFor(receipt, 500, { mayExist: false });
      expect(await harness.under().provider.orderFor(receipt, 500)).toEqual(order);
      await failed(order.id);
      expect(await harness.under().provider.orderFor(receipt, 500)).toEqual({ ...order, status: 'attempted' });
      await paid(order.id);
      expect(await harness.under().provider.orderFor(receipt, 500, { mayExist: true })).toEqual({
        ...order,
        status: 'paid',
      });
    });

    test('is not changed to another amount', async () => {
      const { receipt } = await newOrder(500);
      await expect(harness.under().provider.orderFor(receipt, 600)).rejects.toMatchObject(rejectedError);
    });

    test.each([0, 99, 100.5, Number.NaN, -100])('over %s paise is refused', async (amountPaise) => {
      await expect(harness.under().provider.orderFor(newReceipt(), amountPaise)).rejects.toMatchObject(rejectedError);
    });

    test.each(['', 'r'.repeat(41), '\ud800', 'a\nb'])('with the receipt %j is refused', async (receipt) => {
      await expect(harness.under().provider.orderFor(receipt, 500)).rejects.toMatchObject(rejectedError);
    });

    test.each(['hang-after-commit', 'garbage-after-commit'] as const)('made with %s is found', async (fault) => {
      harness.under().simulator.faults.next = [{ match: /POST \/orders/, fault }];
      const order = await newOrder();
      expect(await harness.under().provider.orderFor(order.receipt, order.amountPaise)).toEqual(order);
    });

    test('not created in time can be requested again', async () => {
      const receipt = newReceipt();
      harness.under().simulator.faults.next = [{ match: /POST \/orders/, fault: 'timeout' }];
      await expect(harness.under().provider.orderFor(receipt, 500)).rejects.toMatchObject(unavailableError);
      expect(await harness.under().provider.orderFor(receipt, 500)).toMatchObject({ receipt, status: 'created' });
    });
  });
}
