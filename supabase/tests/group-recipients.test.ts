// One recipient of a group: canceled, refunded and corrected without the others.
import { describe, expect, test } from 'vitest';
import { opened, recipient } from '../../tests/support/groups.ts';
import { as, insertUser, insertZone } from '../../tests/support/rows.ts';
import { callConsole } from './call-console.ts';
import { groupShop } from './group-shop.ts';

const shop = groupShop();

describe('one recipient', () => {
  test('canceled is refunded by itself, and the others are untouched', async () => {
    const customer = await shop.till.customer();
    const productId = await shop.product();
    const group = await opened(shop.till, customer, shop.some(3, productId));
    await shop.till.place(customer, await shop.till.pay(group.id));
    const before = await shop.ordersOf(group.group_id);
    await shop.cancel(customer, before[1]?.id ?? '');
    await shop.till.work();
    const after = await shop.ordersOf(group.group_id);
    expect(after.map(({ status, payment_status }) => [status, payment_status])).toEqual([
      ['Pending', 'paid'],
      ['canceled', 'refunded'],
      ['Pending', 'paid'],
    ]);
    expect(await shop.refundsOf(customer)).toEqual([
      { order_id: before[1]?.id, amount: Number(before[1]?.total), reason: 'order canceled' },
    ]);
    expect(await shop.stockOf(productId)).toEqual([98, 0]);
    const [payment] = await shop.sql`select status from private.payments where group_id = ${group.group_id}`;
    expect(payment?.status).toBe('captured');
  });

  test('all canceled at the same moment: the whole payment is back, and not a paisa more', async () => {
    const customer = await shop.till.customer();
    const group = await opened(shop.till, customer, shop.some(6, await shop.product()));
    await shop.till.place(customer, await shop.till.pay(group.id));
    const orders = await shop.ordersOf(group.group_id);
    await Promise.allSettled(orders.flatMap(({ id }) => [shop.cancel(customer, id), shop.cancel(customer, id)]));
    await shop.till.work();
    const refunds = await shop.refundsOf(customer);
    expect(refunds).toHaveLength(6);
    expect(refunds.reduce((sum, { amount }) => sum + amount, 0)).toBe(group.amount);
    const [payment] = await shop.sql`select status from private.payments where group_id = ${group.group_id}`;
    expect(payment?.status).toBe('refunded');
  });

  test('is corrected within its delivery area until it is packed, by its customer alone', async () => {
    const [customer, stranger] = [await shop.till.customer(), await shop.till.customer()];
    const group = await opened(shop.till, customer, shop.some(2, await shop.product()));
    await shop.till.place(customer, await shop.till.pay(group.id));
    const id = (await shop.ordersOf(group.group_id))[0]?.id ?? '';
    const delivery = {
      name: 'Kamala Devi',
      phone: '98765 43210',
      building_no: '12',
      street: 'FC Road',
      city: 'Mumbai',
      state: 'Maharashtra',
      zip: '400002',
    };
    const correct = (userId: string, change: object = {}) =>
      as(
        shop.sql,
        { userId },
        (tx) => tx`select public.correct_recipient(${id}, ${tx.json({ ...delivery, ...change })}) as told`,
      );
    await expect(correct(stranger)).rejects.toThrow('Order not found');
    await expect(correct(customer)).rejects.toThrow('ten digits');
    await expect(correct(customer, { phone: '9876543210', zip: '110001' })).rejects.toThrow('another delivery area');
    const [row] = await correct(customer, { phone: '9876543210' });
    expect(row?.told).toMatchObject({ name: 'Kamala Devi', zip: '400002', can_be_corrected: true });
    for (const status of ['Confirmed', 'Preparing', 'Packed'])
      await shop.sql`update public.orders set status = ${status} where id = ${id}`;
    await expect(correct(customer, { phone: '9876543210' })).rejects.toThrow('already packed');
  });

  test('cannot be corrected to where no zone reaches, even where its own is gone', async () => {
    const customer = await shop.till.customer();
    await insertZone(shop.sql, { prefixes: ['173'] });
    const productId = await shop.product();
    const group = await opened(shop.till, customer, [recipient(1, shop.box(productId), { pincode: '173001' })]);
    await shop.till.place(customer, await shop.till.pay(group.id));
    const id = (await shop.ordersOf(group.group_id))[0]?.id ?? '';
    await shop.sql`delete from public.delivery_zones where pincode_prefixes = '{173}'`;
    const { pincode: _, delivery_on: _day, note: _note, email: _email, boxes: _boxes, ...delivery } = recipient(1, []);
    const correct = (change: object) =>
      as(
        shop.sql,
        { userId: customer },
        (tx) => tx`select public.correct_recipient(${id}, ${tx.json({ ...delivery, ...change })}) as told`,
      );
    await expect(correct({ zip: '999999' })).rejects.toThrow('another delivery area');
    const [row] = await correct({ zip: '173001', name: 'Kamala Devi' });
    expect(row?.told).toMatchObject({ name: 'Kamala Devi', zip: '173001' });
  });

  test('whose refund failed is told so, though another one’s of the same amount followed', async () => {
    const customer = await shop.till.customer();
    const group = await opened(shop.till, customer, shop.some(2, await shop.product()));
    await shop.till.place(customer, await shop.till.pay(group.id));
    const [first, second] = await shop.ordersOf(group.group_id);
    await shop.cancel(customer, first?.id ?? '');
    // As after the last attempt: no other one follows.
    await shop.sql`update private.refunds set status = 'failed' where order_id = ${first?.id ?? ''}`;
    await shop.cancel(customer, second?.id ?? '');
    const seen = await as(
      shop.sql,
      { userId: customer },
      (tx) => tx`select order_id, status from public.my_refunds() order by status`,
    );
    expect(seen).toEqual([
      { order_id: first?.id, status: 'failed' },
      { order_id: second?.id, status: 'queued' },
    ]);
    await shop.till.work();
  });

  test('who calls is a person of their own, not the customer who sent the gift', async () => {
    const customer = await shop.till.customer();
    const group = await opened(shop.till, customer, [
      recipient(1, shop.box(await shop.product()), { phone: '9812312312' }),
    ]);
    await shop.till.place(customer, await shop.till.pay(group.id));
    const owner = { userId: await insertUser(shop.sql, { administrator: true }) };
    const found = await callConsole(shop.sql, owner, 'admin_find_callers', { phone: '9812312312' });
    expect(found).toMatchObject([{ user_id: null, name: 'Recipient 1' }]);
  });
});
