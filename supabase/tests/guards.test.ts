import type { Sql } from 'postgres';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import { type Fulfilment, nextStatuses, orderMoves, orderStatuses } from '../../domain/orders/status.ts';
import { newDatabase, type TestDatabase } from '../../tests/support/database.ts';
import {
  as,
  type Caller,
  grantEverything,
  insertPaidOrder,
  insertProduct,
  insertUser,
  type NewOrder,
} from '../../tests/support/rows.ts';

let database: TestDatabase;
let sql: Sql;
let customer: { userId: string };
let stranger: { userId: string };
let administrator: { userId: string };
let productId: number;
beforeAll(async () => {
  database = await newDatabase(inject('postgresPath'));
  sql = database.sql;
  await grantEverything(sql);
  customer = { userId: await insertUser(sql) };
  stranger = { userId: await insertUser(sql) };
  administrator = { userId: await insertUser(sql, { administrator: true }) };
  productId = await insertProduct(sql, { stock: 5000 });
});
afterAll(() => database.drop());

const newOrder = (order: Partial<NewOrder> = {}) =>
  insertPaidOrder(sql, { userId: customer.userId, productId, ...order });
const change = (caller: Caller, id: string, values: Record<string, unknown>) =>
  as(sql, caller, (tx) => tx`update public.orders set ${tx(values)} where id = ${id}`);
const rowOf = async (id: string) => (await sql`select * from public.orders where id = ${id}`)[0];
const eventsOf = (id: string) =>
  sql`select from_status, to_status, actor_role from public.order_events where order_id = ${id} order by id`;
const onHand = async () =>
  (await sql`select on_hand from public.stock_levels where product_id = ${productId}`)[0]?.on_hand;
const canceled = { status: 'canceled' };

test('an order has sizes of 500 and 1000 grams only', async () => {
  const { id } = await newOrder();
  await sql.begin(async (tx) => {
    await tx`alter table public.order_items disable trigger user`;
    await expect(
      tx.savepoint((inner) => inner`update public.order_items set size = 750 where order_id = ${id}`),
    ).rejects.toMatchObject({ code: '23514' });
    await tx`alter table public.order_items enable trigger user`;
  });
});

describe('a customer', () => {
  test.each(['Pending', 'Confirmed'])(
    'cancels an own order that is %s: goods, money and history follow',
    async (status) => {
      const shelf = await onHand();
      const order = await newOrder({ status, quantity: 3 });
      expect(await onHand()).toBe(shelf - 3);
      await change(customer, order.id, canceled);

      expect(await rowOf(order.id)).toMatchObject({ status: 'canceled', payment_status: 'refund_pending' });
      expect(await onHand()).toBe(shelf);
      const refunds =
        await sql`select id, payment_id, amount_paise::int, status from private.refunds where order_id = ${order.id}`;
      expect(refunds).toMatchObject([
        { payment_id: order.paymentId, amount_paise: order.totalPaise, status: 'queued' },
      ]);
      const outbox =
        await sql`select key from private.outbox where kind = 'refund' and payload ->> 'refund_id' = ${refunds[0]?.id}`;
      expect(outbox).toEqual([{ key: `refund:${refunds[0]?.id}` }]);
      expect(await eventsOf(order.id)).toEqual([
        { from_status: null, to_status: status, actor_role: 'system' },
        { from_status: status, to_status: 'canceled', actor_role: 'customer' },
      ]);
      expect(await sql`select * from public.check_invariants()`).toEqual([]);
    },
  );

  test('gets a message when the order is already cancelled, and nothing happens twice', async () => {
    const order = await newOrder();
    await change(customer, order.id, canceled);
    const shelf = await onHand();
    await expect(change(customer, order.id, canceled)).rejects.toMatchObject({
      code: 'PT409',
      message: 'the order is already canceled',
    });
    expect(await onHand()).toBe(shelf);
    expect(await sql`select from private.refunds where order_id = ${order.id}`).toHaveLength(1);
    expect(await eventsOf(order.id)).toHaveLength(2);
  });

  test.each(orderStatuses.filter((status) => !['Pending', 'Confirmed', 'canceled'].includes(status)))(
    'cannot cancel an order that is %s',
    async (status) => {
      const order = await newOrder({ status });
      await expect(change(customer, order.id, canceled)).rejects.toMatchObject({ code: 'PT409' });
      expect(await rowOf(order.id)).toMatchObject({ status, payment_status: 'paid' });
    },
  );

  test('can set no other status', async () => {
    for (const status of orderStatuses.filter((one) => one !== 'canceled')) {
      const order = await newOrder();
      await expect(change(customer, order.id, { status }), status).rejects.toMatchObject({ code: 'PT403' });
      expect(await rowOf(order.id)).toMatchObject({ status: 'Pending' });
    }
  });

  test('can change no other column, alone or together with canceling', async () => {
    const order = await newOrder();
    const before = await rowOf(order.id);
    const columns = Object.keys(before ?? {}).filter((name) => !['status', 'updated_at'].includes(name));
    expect(columns.length).toBeGreaterThan(20);
    for (const column of columns) {
      const value = otherValue(column);
      for (const values of [{ [column]: value }, { [column]: value, ...canceled }]) {
        // 42501: the row would no longer belong to the caller.
        await expect(change(customer, order.id, values), column).rejects.toMatchObject({
          code: expect.stringMatching(/^(PT403|42501)$/),
        });
        expect(await rowOf(order.id)).toEqual(before);
      }
    }
  });

  test('cannot change the order of another customer', async () => {
    const order = await newOrder();
    await change(stranger, order.id, canceled);
    await as(sql, stranger, (tx) => tx`update public.orders set status = 'canceled' where true`);
    expect(await rowOf(order.id)).toMatchObject({ status: 'Pending' });
    await as(sql, 'anon', (tx) => tx`update public.orders set status = 'canceled' where true`);
    expect(await rowOf(order.id)).toMatchObject({ status: 'Pending' });
  });
});

describe('an administrator', () => {
  test('finds the same moves in the database as in domain/orders/status.ts', async () => {
    const edges = await sql`select from_status as from, to_status as to, by_customer as "byCustomer", fulfilment,
      can_be_undone as "canBeUndone"
      from private.order_status_edges`;
    const sorted = (moves: readonly object[]) =>
      moves.map((move) => JSON.stringify(move, ['from', 'to', 'byCustomer', 'fulfilment', 'canBeUndone'])).sort();
    expect(sorted(edges)).toEqual(sorted(orderMoves));
  });

  test.each(['delivery', 'pickup'] as Fulfilment[])(
    'moves a %s order along the legal moves only',
    async (fulfilment) => {
      for (const from of orderStatuses) {
        const legal = nextStatuses({ status: from, fulfilment }, 'administrator');
        for (const to of orderStatuses.filter((status) => status !== from)) {
          const { id } = await newOrder({ status: from, fulfilment, quantity: 1, paid: false });
          const move = change(administrator, id, { status: to, cancel_reason: 'The milk was sour' });
          if (legal.includes(to)) {
            await move;
            expect((await eventsOf(id)).at(-1)).toEqual({
              from_status: from,
              to_status: to,
              actor_role: 'administrator',
            });
          } else {
            await expect(move, `${from} to ${to}`).rejects.toMatchObject({ code: 'PT409' });
          }
          expect(await rowOf(id)).toMatchObject({ status: legal.includes(to) ? to : from });
        }
      }
    },
  );

  test.each(['Pending', 'Preparing', 'Packed', 'Undelivered'])(
    'gives a reason for canceling a %s order',
    async (status) => {
      const { id } = await newOrder({ status });
      for (const values of [canceled, { ...canceled, cancel_reason: '  ' }]) {
        await expect(change(administrator, id, values)).rejects.toMatchObject({ code: 'PT400' });
      }
      await change(administrator, id, { ...canceled, cancel_reason: 'Out of ghee' });
      expect(await rowOf(id)).toMatchObject({ status: 'canceled', payment_status: 'refund_pending' });
    },
  );

  test('gives a reason for canceling an own order too, once customers no longer could', async () => {
    const { id } = await newOrder({ userId: administrator.userId, status: 'Packed' });
    await expect(change(administrator, id, canceled)).rejects.toMatchObject({ code: 'PT400' });
  });

  test('is named as administrator in the history, of an own order too', async () => {
    const { id } = await newOrder({ userId: administrator.userId });
    await change(administrator, id, { status: 'Confirmed' });
    expect((await eventsOf(id)).at(-1)).toMatchObject({ to_status: 'Confirmed', actor_role: 'administrator' });
  });

  test('corrects the address until the order is packed', async () => {
    const address = { delivery_street: 'Ranade Road', delivery_zip: '400028' };
    for (const status of orderStatuses) {
      const { id } = await newOrder({ status });
      const open = ['Pending', 'Confirmed', 'Preparing'].includes(status);
      if (open) await change(administrator, id, address);
      else await expect(change(administrator, id, address), status).rejects.toMatchObject({ code: 'PT409' });
      expect(await rowOf(id)).toMatchObject({ delivery_zip: open ? '400028' : '400001' });
    }
  });

  test('does not record offline payments', async () => {
    const { id } = await newOrder();
    for (const values of [{ payment_status: 'refunded' }, { payment_id: 'pay_other' }, { user_id: null }]) {
      await expect(change(administrator, id, values)).rejects.toMatchObject({ code: 'PT403' });
    }
  });
});

function otherValue(column: string): unknown {
  const values: Record<string, unknown> = {
    id: '00000000-0000-4000-8000-000000000001',
    user_id: stranger.userId,
    number: 7,
    payment_status: 'refunded',
    source: 'direct',
    fulfilment: 'pickup',
    created_at: '2020-01-01T00:00:00Z',
    delivery_zip: '400099',
    canceled_goods: 'wastage',
    tracking_url: '/track',
    delivery_by: '2020-01-01',
    deliver_on: '2020-01-01',
    pack_on: '2020-01-01',
    missed_day: '2020-01-01',
    group_id: '00000000-0000-4000-8000-000000000001',
    group_place: 1,
    status_since: '2020-01-01T00:00:00Z',
  };
  if (column in values) return values[column];
  return ['sub_total', 'discount', 'tax', 'shipping_charge', 'total_amount'].includes(column) ? 1 : 'Changed';
}
