import type { Sql } from 'postgres';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { newDatabase, type TestDatabase } from '../../tests/support/database.ts';
import {
  as,
  insertPaidOrder,
  insertProduct,
  insertUser,
  type Queries,
  type TestOrder,
} from '../../tests/support/rows.ts';

let database: TestDatabase;
let sql: Sql;
let userId: string;
let productId: number;
let order: TestOrder;
let shipped: TestOrder;
beforeAll(async () => {
  database = await newDatabase(inject('postgresPath'));
  sql = database.sql;
  userId = await insertUser(sql);
  productId = await insertProduct(sql, { price: 100, stock: 100 });
  order = await insertPaidOrder(sql, { userId, productId, quantity: 2 });
  shipped = await insertPaidOrder(sql, { userId, productId, status: 'Shipped' });
  const canceled = await insertPaidOrder(sql, { userId, productId });
  await as(sql, { userId }, (tx) => tx`update public.orders set status = 'canceled' where id = ${canceled.id}`);
});
afterAll(() => database.drop());

const anotherPayment = (tx: Queries, orderId: string | null) =>
  tx`insert into private.payments (payment_id, provider_order_id, order_id, amount_paise, status, captured_at)
     values ('pay_second', 'order_second', ${orderId}, 5000, 'captured', now())`;

/** Ways past every guard, each to one broken invariant. */
const breaks: { invariant: number; by: string; how(tx: Queries): Promise<unknown> }[] = [
  {
    invariant: 1,
    by: 'a sub-total that is not the sum of the lines',
    how: (tx) =>
      tx`update public.orders set sub_total = sub_total + 1, total_amount = total_amount + 1 where id = ${order.id}`,
  },
  {
    invariant: 1,
    by: 'a total that is not the sum of its parts',
    async how(tx) {
      await tx`alter table public.orders drop constraint orders_check`;
      await tx`update public.orders set total_amount = total_amount + 1 where id = ${order.id}`;
    },
  },
  { invariant: 2, by: 'a second captured payment of an order', how: (tx) => anotherPayment(tx, order.id) },
  {
    invariant: 2,
    by: 'a payment that belongs to another order',
    how: (tx) => tx`update private.payments set order_id = ${shipped.id} where payment_id = ${order.paymentId}`,
  },
  { invariant: 3, by: 'a captured payment with neither order nor refund', how: (tx) => anotherPayment(tx, null) },
  {
    invariant: 4,
    by: 'stock that no movement explains',
    how: (tx) => tx`update public.stock_levels set on_hand = on_hand + 1 where product_id = ${productId}`,
  },
  {
    invariant: 4,
    by: 'more reserved than there is',
    async how(tx) {
      await tx`alter table public.stock_levels drop constraint stock_levels_check`;
      await tx`update public.stock_levels set reserved = on_hand + 1 where product_id = ${productId}`;
    },
  },
  {
    invariant: 5,
    by: 'a status without an event',
    how: (tx) => tx`update public.orders set status = 'Confirmed' where id = ${order.id}`,
  },
  {
    invariant: 5,
    by: 'an event processed twice',
    how: (tx) => tx`insert into public.order_events (order_id, from_status, to_status, actor_role)
      select order_id, from_status, to_status, actor_role from public.order_events where order_id = ${order.id}`,
  },
  {
    invariant: 5,
    by: 'an order without any event',
    how: (tx) => tx`delete from public.order_events where order_id = ${order.id}`,
  },
  {
    invariant: 6,
    by: 'more refunded than was captured',
    how: (tx) => tx`insert into private.refunds (payment_id, order_id, amount_paise, reason, due_on)
      values (${order.paymentId}, ${order.id}, ${order.totalPaise + 1}, 'test', '2026-11-25')`,
  },
  {
    invariant: 6,
    by: 'a refund of a payment that was never captured',
    async how(tx) {
      await tx`insert into private.payments (payment_id, provider_order_id, amount_paise, status)
        values ('pay_failed', 'order_failed', 5000, 'failed')`;
      await tx`insert into private.refunds (payment_id, amount_paise, reason, due_on) values ('pay_failed', 5000, 'test', '2026-11-25')`;
    },
  },
  {
    invariant: 7,
    by: 'a parcel on its way that is canceled',
    async how(tx) {
      await tx`update public.orders set status = 'canceled' where id = ${shipped.id}`;
      await tx`insert into public.order_events (order_id, from_status, to_status, actor_role)
        values (${shipped.id}, 'Shipped', 'canceled', 'system')`;
    },
  },
  {
    invariant: 8,
    by: 'lines that changed, although they still add up',
    how: (tx) => tx`update public.order_items set quantity = 1, unit_price = 200 where order_id = ${order.id}`,
  },
  {
    invariant: 15,
    by: 'stored profit of a day that its orders do not explain',
    async how(tx) {
      await storePastDays(tx);
      await tx`update private.profit_days set goods_paise = goods_paise + 1 where day = private.day_of(now() - interval '2 days')`;
    },
  },
  {
    invariant: 15,
    by: 'stored sales of a day that its orders do not explain',
    async how(tx) {
      await storePastDays(tx);
      await tx`update private.sales_steps set orders = orders + 1
        where starts_at = private.start_of(private.day_of(now() - interval '2 days')) and step = 'day'`;
    },
  },
];

const storePastDays = (tx: Queries) => tx`
  select private.store_profit_days(d.first, d.last), private.store_sales_steps('day', private.start_of(d.first), private.start_of(d.last + 1))
  from (select private.day_of(now() - interval '5 days') as first, private.last_stored_day(now()) as last) d`;

test('stored figures of days with orders break no invariant', async () => {
  await sql
    .begin(async (tx) => {
      await tx`set local session_replication_role = replica`;
      await tx`update public.orders set created_at = created_at - interval '3 days' where true`;
      await tx`update private.payments set captured_at = captured_at - interval '3 days' where true`;
      await storePastDays(tx);
      const [stored] = await tx`select sum(orders)::int as orders from private.profit_days`;
      expect(stored?.orders).toBeGreaterThan(0);
      expect(await tx`select * from public.check_invariants() where invariant = 15`).toEqual([]);
      await tx`update public.orders set status = 'canceled' where id = ${order.id}`;
      expect(await tx`select * from public.check_invariants() where invariant = 15`).toHaveLength(1);
      throw new Error('undo');
    })
    .catch((error: Error) => {
      if (error.message !== 'undo') throw error;
    });
});

test('good data breaks no invariant', async () => {
  expect(await sql`select * from public.check_invariants()`).toEqual([]);
});

test.each(breaks)('invariant $invariant is reported, and it alone: $by', async ({ how }) => {
  const found = await brokenBy(how);
  const { invariant } = breaks.find((one) => one.how === how) ?? {};
  expect([...new Set(found)]).toEqual([invariant]);
});

test.each(breaks)('invariant $invariant is found by one of the parts, too: $by', async ({ how }) => {
  const inParts = (tx: Queries) => tx<{ invariant: number; subject: string }[]>`
    select c.invariant, c.subject from generate_series(1, 7) n, public.check_invariants_part(n, 7) c order by 1, 2`;
  const whole = (tx: Queries) => tx<{ invariant: number; subject: string }[]>`
    select c.invariant, c.subject from public.check_invariants() c order by 1, 2`;
  await sql
    .begin(async (tx) => {
      await tx`set local session_replication_role = replica`;
      await how(tx);
      const found = await inParts(tx);
      expect(found.length).toBeGreaterThan(0);
      expect([...found]).toEqual([...(await whole(tx))]);
      throw new Error('undo');
    })
    .catch((error: Error) => {
      if (error.message !== 'undo') throw error;
    });
});

test('a part that is none is refused', async () => {
  for (const [part, parts] of [
    [0, 4],
    [5, 4],
    [1, 0],
    [1, 5000],
    [null, 4],
  ] as const)
    await expect(sql`select * from public.check_invariants_part(${part}, ${parts})`).rejects.toMatchObject({
      code: 'PT400',
    });
});

test('every invariant has a way to break it here', () => {
  expect([...new Set(breaks.map(({ invariant }) => invariant))]).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 15]);
});

test('the check is for administrators and the service role', async () => {
  const ask = (tx: Queries) => tx`select * from public.check_invariants()`;
  const administrator = await insertUser(sql, { administrator: true });
  expect(await as(sql, { userId: administrator }, ask)).toEqual([]);
  expect(await as(sql, 'service', ask)).toEqual([]);
  await expect(as(sql, { userId }, ask)).rejects.toMatchObject({ code: 'PT403' });
  await expect(as(sql, 'anon', ask)).rejects.toMatchObject({ code: '42501' });
  const part = (tx: Queries) => tx`select * from public.check_invariants_part(1, 2)`;
  await expect(as(sql, { userId }, part)).rejects.toMatchObject({ code: 'PT403' });
  await expect(as(sql, 'anon', part)).rejects.toMatchObject({ code: '42501' });
});

async function brokenBy(how: (tx: Queries) => Promise<unknown>): Promise<number[]> {
  let found: number[] = [];
  const undo = new Error('undo');
  await sql
    .begin(async (tx) => {
      await tx`set local session_replication_role = replica`;
      await how(tx);
      found = (await tx<{ invariant: number }[]>`select invariant from public.check_invariants()`).map(
        (row) => row.invariant,
      );
      throw undo;
    })
    .catch((error: unknown) => {
      if (error !== undo) throw error;
    });
  return found;
}
