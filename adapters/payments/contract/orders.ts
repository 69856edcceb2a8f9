import { describe, expect, test } from 'vitest';
import { outage, refusal, type Stage } from './stage.ts';

export function describeOrders(stage: Stage): void {
  const { newReceipt, newOrder, paid, failed } = stage;

  describe('an order', () => {
    test('is made for a receipt, over whole paise', async () => {
      const receipt = newReceipt();
      const order = await stage.under().provider.orderFor(receipt, 129_951);
      expect(order).toEqual({
        id: expect.stringMatching(/^order_\w+$/),
        receipt,
        amountPaise: 129_951,
        status: 'created',
      });
    });

    test('is found again, paid or not', async () => {
      const receipt = newReceipt();
      const order = await stage.under().provider.orderFor(receipt, 500, { mayExist: false });
      expect(await stage.under().provider.orderFor(receipt, 500)).toEqual(order);
      await failed(order.id);
      expect(await stage.under().provider.orderFor(receipt, 500)).toEqual({ ...order, status: 'attempted' });
      await paid(order.id);
      expect(await stage.under().provider.orderFor(receipt, 500, { mayExist: true })).toEqual({
        ...order,
        status: 'paid',
      });
    });

    test('is not changed to another amount', async () => {
      const { receipt } = await newOrder(500);
      await expect(stage.under().provider.orderFor(receipt, 600)).rejects.toMatchObject(refusal);
    });

    test.each([0, 99, 100.5, Number.NaN, -100])('over %s paise is refused', async (amountPaise) => {
      await expect(stage.under().provider.orderFor(newReceipt(), amountPaise)).rejects.toMatchObject(refusal);
    });

    test.each(['', 'r'.repeat(41), '\ud800', 'a\nb'])('with the receipt %j is refused', async (receipt) => {
      await expect(stage.under().provider.orderFor(receipt, 500)).rejects.toMatchObject(refusal);
    });

    test.each(['hang-after-commit', 'garbage-after-commit'] as const)('made with %s is found', async (fault) => {
      stage.under().simulator.faults.next = [{ match: /POST \/orders/, fault }];
      const order = await newOrder();
      expect(await stage.under().provider.orderFor(order.receipt, order.amountPaise)).toEqual(order);
    });

    test('not made in time can be asked for again', async () => {
      const receipt = newReceipt();
      stage.under().simulator.faults.next = [{ match: /POST \/orders/, fault: 'timeout' }];
      await expect(stage.under().provider.orderFor(receipt, 500)).rejects.toMatchObject(outage);
      expect(await stage.under().provider.orderFor(receipt, 500)).toMatchObject({ receipt, status: 'created' });
    });
  });
}
