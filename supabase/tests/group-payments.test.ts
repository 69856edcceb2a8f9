// The one payment of a group becomes an order for each recipient, or is refunded as a whole.
import type { Sql } from 'postgres';
import { describe, expect, test } from 'vitest';
import { opened } from '../../tests/support/groups.ts';
import type { Answer } from '../../tests/support/till.ts';
import { code, groupShop } from './group-shop.ts';

const shop = groupShop();

describe('paid once', () => {
  test('each recipient has an order, and all of them the payment', async () => {
    const customer = await shop.regular();
    const productId = await shop.product();
    const recipients = shop.some(20, productId);
    const group = await opened(shop.till, customer, recipients);
    expect(await shop.stockOf(productId)).toEqual([100, 20]);
    const paid = await shop.till.pay(group.id);
    const placed = await shop.till.place(customer, paid);
    expect(placed.status, JSON.stringify(placed.body)).toBe(201);
    const orders = await shop.ordersOf(group.group_id);
    expect(placed.body).toMatchObject({ group_id: group.group_id, order_id: orders[0]?.id });
    expect(orders.map(({ group_place }) => group_place)).toEqual(recipients.map((_, index) => index + 1));
    expect(new Set(orders.map(({ payment_id }) => payment_id)).size).toBe(1);
    expect(orders.reduce((sum, { total }) => sum + Number(total), 0)).toBe(group.amount);
    expect(await shop.stockOf(productId)).toEqual([80, 0]);
    const [seventh] = await shop.sql`
      select o.delivery_name, o.delivery_building_no, g.note, g.sender_name
      from public.orders o join private.order_gifts g on g.order_id = o.id where o.id = ${orders[6]?.id ?? ''}`;
    expect(seventh).toEqual({
      delivery_name: 'Recipient 7',
      delivery_building_no: '7, Shanti Sadan',
      note: 'Happy Diwali, recipient 7! 🪔 शुभ दीपावली',
      sender_name: 'Acme Traders',
    });
  });

  test('one email says so, not one for each recipient', async () => {
    const customer = await shop.till.customer();
    const group = await opened(shop.till, customer, shop.some(5, await shop.product()));
    await shop.till.place(customer, await shop.till.pay(group.id));
    await shop.till.work();
    const mine = shop.till.mails.filter(({ to }) => to.address === `${customer}@example.com`);
    expect(mine.map(({ subject }) => subject)).toEqual(['Your order for 5 recipients is placed']);
  });

  test('reported ten times at once, by browser, webhook and reconciler', async () => {
    const customer = await shop.till.customer();
    const group = await opened(shop.till, customer, shop.some(5, await shop.product()));
    const paid = await shop.till.pay(group.id, { outcome: 'pay', webhook: 'twice' });
    shop.till.later(1);
    const answers = await Promise.all([
      ...Array.from({ length: 10 }, () => shop.till.place(customer, paid)),
      shop.till.work(),
      shop.till.work(),
    ]);
    expect(new Set((answers.slice(0, 10) as Answer[]).map(({ status }) => status))).toEqual(new Set([201]));
    expect(await shop.ordersOf(group.group_id)).toHaveLength(5);
  });

  test.each(['webhook', 'reconciler'])('found by the %s alone', async (finder) => {
    const customer = await shop.till.customer();
    const group = await opened(shop.till, customer, shop.some(3, await shop.product()));
    await shop.till.pay(group.id, { outcome: 'pay', webhook: finder === 'webhook' ? 'normal' : 'never' });
    await shop.till.simulator.settled();
    if (finder === 'reconciler') shop.till.later(1);
    await shop.till.work();
    expect(await shop.ordersOf(group.group_id)).toHaveLength(3);
  });

  test('twice: the second payment is refunded in full', async () => {
    const customer = await shop.till.customer();
    const group = await opened(shop.till, customer, shop.some(3, await shop.product()));
    await shop.till.place(customer, await shop.till.pay(group.id));
    const { razorpay_payment_id: _, ...second } = (await shop.till.pay(group.id)) as {
      razorpay_payment_id?: string;
      error?: unknown;
    };
    if (!('error' in second)) {
      shop.till.later(40);
      await shop.till.work();
      expect(await shop.refundsOf(customer)).toMatchObject([
        { order_id: null, amount: group.amount, reason: 'second-payment' },
      ]);
    }
    expect(await shop.ordersOf(group.group_id)).toHaveLength(3);
  });

  test('for the same boxes from two tabs: the second group is refunded', async () => {
    const customer = await shop.till.customer();
    const productId = await shop.product();
    const first = await opened(shop.till, customer, shop.some(2, productId));
    const again = shop.some(2, productId).map((row) => ({ ...row, note: 'Another note' }));
    const second = await opened(shop.till, customer, again);
    expect(second.group_id).not.toBe(first.group_id);
    expect((await shop.till.place(customer, await shop.till.pay(second.id))).status).toBe(201);
    expect(code(await shop.till.place(customer, await shop.till.pay(first.id)))).toEqual([409, 'payment-refunded']);
    expect(await shop.refundsOf(customer)).toMatchObject([{ amount: first.amount, reason: 'second-payment' }]);
    expect(await shop.stockOf(productId)).toEqual([98, 0]);
  });

  test('a single order beside it is not taken for a second payment', async () => {
    const customer = await shop.till.customer();
    const productId = await shop.product();
    const group = await opened(shop.till, customer, shop.some(2, productId));
    const { orderId } = await shop.till.checkout(customer, shop.box(productId), { source: 'direct' });
    expect((await shop.till.place(customer, await shop.till.pay(group.id))).status).toBe(201);
    expect((await shop.till.place(customer, await shop.till.pay(orderId))).status).toBe(201);
    expect(await shop.refundsOf(customer)).toEqual([]);
  });

  test('sold out while it was paid: everything is refunded, and no recipient has an order', async () => {
    const customer = await shop.till.customer();
    const other = await shop.till.customer();
    const productId = await shop.product(3);
    const group = await opened(shop.till, customer, shop.some(3, productId));
    shop.till.later(11);
    await shop.till.work();
    expect(await shop.stockOf(productId)).toEqual([3, 0]);
    const { orderId } = await shop.till.checkout(other, shop.box(productId), { source: 'direct' });
    await shop.till.place(other, await shop.till.pay(orderId));
    expect(code(await shop.till.place(customer, await shop.till.pay(group.id)))).toEqual([409, 'payment-refunded']);
    expect(await shop.ordersOf(group.group_id)).toEqual([]);
    expect(await shop.refundsOf(customer)).toMatchObject([
      { order_id: null, amount: group.amount, reason: 'sold-out' },
    ]);
    expect(await shop.stockOf(productId)).toEqual([2, 0]);
  });

  test('after the hold ended, and the stock is still there: all orders', async () => {
    const customer = await shop.till.customer();
    const productId = await shop.product(3);
    const group = await opened(shop.till, customer, shop.some(3, productId));
    shop.till.later(11);
    await shop.till.work();
    expect((await shop.till.place(customer, await shop.till.pay(group.id))).status).toBe(201);
    expect(await shop.stockOf(productId)).toEqual([0, 0]);
  });
});

test('what the payment, the group and its orders say must agree', async () => {
  const customer = await shop.till.customer();
  const group = await opened(shop.till, customer, shop.some(2, await shop.product()));
  await shop.till.place(customer, await shop.till.pay(group.id));
  const found = (change: (sql: Sql) => Promise<unknown>) =>
    shop.sql
      .begin(async (tx) => {
        await tx`set local session_replication_role = replica`;
        await change(tx as unknown as Sql);
        const rows = await tx`select distinct invariant from public.check_invariants() order by 1`;
        throw Object.assign(new Error('rolled back'), { rows: rows.map(({ invariant }) => invariant) });
      })
      .catch((error: { rows?: number[] }) => error.rows ?? error);
  const id = group.group_id;
  expect(
    await found((tx) => tx`update private.group_orders set total_paise = total_paise + 1 where id = ${id}`),
  ).toEqual([16]);
  expect(await found((tx) => tx`update private.group_orders set recipients = 3 where id = ${id}`)).toEqual([16]);
  expect(
    await found((tx) => tx`update private.payments set amount_paise = amount_paise - 1 where group_id = ${id}`),
  ).toEqual([16]);
  const refund = (amount: number) => (tx: Sql) =>
    tx`
    insert into private.refunds (payment_id, order_id, amount_paise, reason, due_on)
    select o.payment_id, o.id, (o.total_amount * 100)::bigint + ${amount}, 'order refunded', '2026-11-25'
    from public.orders o where o.group_id = ${id} and o.group_place = 1`;
  expect(await found(refund(1))).toEqual([6]);
  expect(await found(refund(0))).not.toContain(6);
});
