import type { Sql } from 'postgres';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import { orderMoves } from '../../domain/orders/status.ts';
import { undoSeconds } from '../../domain/orders/undo.ts';
import { newDatabase, type TestDatabase } from '../../tests/support/database.ts';
import {
  as,
  deriveFromOrders,
  insertPaidOrder,
  insertProduct,
  insertUser,
  type NewOrder,
} from '../../tests/support/rows.ts';
import { type OrderConsole, openConsole } from './order-console.ts';

type Answer = { undone: string[]; refused: { id: string; reason: string }[] };

let database: TestDatabase;
let sql: Sql;
let owner: OrderConsole;
let customer: { userId: string };
let productId: number;
beforeAll(async () => {
  database = await newDatabase(inject('postgresPath'));
  sql = database.sql;
  owner = await openConsole(sql);
  customer = { userId: await insertUser(sql) };
  productId = await insertProduct(sql, { stock: 10000 });
});
afterAll(() => database.drop());

const newOrder = async (order: Partial<NewOrder> = {}) =>
  (await insertPaidOrder(sql, { userId: customer.userId, productId, quantity: 1, ...order })).id;
const move = (id: string, to: string, more: Record<string, unknown> = {}) =>
  owner.act('admin_move_order', id, { to_status: to, ...more });
const undo = async (id: string) =>
  owner.ask<Answer>('admin_undo_moves', { moves: [{ id, seen: await owner.seen(id) }] });
const refusalOf = async (id: string) => (await undo(id)).refused[0]?.reason;
const rowOf = async (id: string) =>
  (await sql`select status, courier, tracking_number, status_since from public.orders where id = ${id}`)[0];
async function mailsOf(id: string) {
  await deriveFromOrders(sql);
  return sql`select payload ->> 'template' as template, extract(epoch from run_after - created_at)::int as waits
    from private.outbox where kind = 'mail' and payload ->> 'order_id' = ${id} order by id`;
}
/** As if everything about the order had happened earlier. */
const letPass = (id: string, seconds: number) =>
  sql.begin(async (tx) => {
    await tx`set local session_replication_role = replica`;
    await tx`update public.order_events set created_at = created_at - ${seconds} * interval '1 second' where order_id = ${id}`;
  });

test('a move is undone by another event, and the order has waited as long as before', async () => {
  const id = await newOrder();
  const before = await rowOf(id);
  await move(id, 'Confirmed');
  expect(await undo(id)).toEqual({ undone: [id], refused: [] });
  expect(await rowOf(id)).toEqual(before);
  const events = await sql`
    select id, from_status, to_status, actor_role, undoes from public.order_events where order_id = ${id} order by id`;
  expect(events).toMatchObject([
    { from_status: null, to_status: 'Pending', undoes: null },
    { from_status: 'Pending', to_status: 'Confirmed', undoes: null },
    { from_status: 'Confirmed', to_status: 'Pending', actor_role: 'administrator', undoes: events[1]?.id },
  ]);
  expect(
    await sql`select before ->> 'status' as old, after ->> 'status' as new from public.audit_log
    where table_name = 'orders' and row_id = ${id} order by id`,
  ).toEqual([
    { old: 'Pending', new: 'Confirmed' },
    { old: 'Confirmed', new: 'Pending' },
  ]);
  // And on again, as if nothing had been.
  await move(id, 'Confirmed');
  expect(await rowOf(id)).toMatchObject({ status: 'Confirmed' });
});

describe('exactly the moves that can be undone are', () => {
  test.each(orderMoves.filter(({ to }) => to !== 'canceled' && to !== 'Refunded'))(
    '$from to $to',
    async ({ from, to, fulfilment, canBeUndone }) => {
      const id = await newOrder({ status: from, fulfilment: fulfilment ?? 'delivery' });
      await move(id, to);
      const answer = await undo(id);
      expect(answer.undone).toEqual(canBeUndone ? [id] : []);
      expect(await rowOf(id)).toMatchObject({ status: canBeUndone ? from : to });
    },
  );

  test('only those: a packed, cancelled or refunded order says why not', async () => {
    const packed = await newOrder({ status: 'Preparing' });
    await move(packed, 'Packed');
    expect(await refusalOf(packed)).toMatch(/invoice is issued/);
    const canceled = await newOrder();
    await owner.act('admin_cancel_order', canceled, { reason: 'Sold out', goods: 'stock' });
    expect(await refusalOf(canceled)).toMatch(/was cancelled/);
    const untouched = await newOrder();
    expect(await refusalOf(untouched)).toMatch(/has no move to undo/);
    const undone = await newOrder();
    await move(undone, 'Confirmed');
    await undo(undone);
    expect(await refusalOf(undone)).toMatch(/has no move to undo/);
  });
});

test('a minute later it is too late', async () => {
  expect((await sql`select extract(epoch from private.undo_time())::int as seconds`)[0]).toEqual({
    seconds: undoSeconds,
  });
  const id = await newOrder();
  await move(id, 'Confirmed');
  const { undo: offered } = (await owner.read(id)) as unknown as { undo: unknown };
  expect(offered).toEqual({ to_status: 'Pending', seconds_left: expect.any(Number) });
  await letPass(id, undoSeconds + 1);
  expect(((await owner.read(id)) as unknown as { undo: unknown }).undo).toBeNull();
  expect(await refusalOf(id)).toMatch(/more than a minute ago/);
  expect(await rowOf(id)).toMatchObject({ status: 'Confirmed' });
});

describe('the mail about a move', () => {
  test('waits for that minute, and is never sent when the move is undone', async () => {
    const id = await newOrder();
    await move(id, 'Confirmed');
    expect(await mailsOf(id)).toEqual([
      { template: 'order-placed', waits: 0 },
      { template: 'order-confirmed', waits: undoSeconds },
    ]);
    await undo(id);
    expect(await mailsOf(id)).toEqual([{ template: 'order-placed', waits: 0 }]);
    // Nor can it be sent manually: that event was undone.
    expect((await owner.read(id)).mails.map(({ template }) => template)).toEqual(['order-placed']);
  });

  test('that has gone out, or is going out, keeps the order where it is', async () => {
    const id = await newOrder({ status: 'Packed' });
    await move(id, 'Shipped');
    await deriveFromOrders(sql);
    await sql`update private.outbox set attempts = 1
      where payload ->> 'order_id' = ${id} and payload ->> 'template' = 'order-shipped'`;
    expect(await refusalOf(id)).toMatch(/has already been mailed/);
    const resent = await newOrder({ status: 'Packed' });
    await move(resent, 'Shipped');
    const key = (await owner.read(resent)).mails.at(-1)?.key;
    await owner.ask('admin_resend_mail', { order_id: resent, mail_key: key });
    await sql`update private.outbox set done_at = now() where key like 'mail:again:%' and payload ->> 'again' = ${key ?? ''}`;
    expect(await refusalOf(resent)).toMatch(/has already been mailed/);
  });

  test('is never sent when the order is cancelled in between, by the customer or an administrator', async () => {
    const id = await newOrder();
    await move(id, 'Confirmed');
    await as(sql, customer, (tx) => tx`update public.orders set status = 'canceled' where id = ${id}`);
    expect(await mailsOf(id)).toEqual([
      { template: 'order-placed', waits: 0 },
      { template: 'order-canceled', waits: 0 },
    ]);
    const collected = await newOrder({ status: 'Packed', fulfilment: 'pickup' });
    await move(collected, 'Ready');
    await owner.act('admin_cancel_order', collected, { reason: 'Sold out', goods: 'stock' });
    expect((await mailsOf(collected)).map(({ template }) => template)).not.toContain('order-ready');
  });

  test('that is on its way when the order is cancelled stays', async () => {
    const id = await newOrder();
    await move(id, 'Confirmed');
    await deriveFromOrders(sql);
    await sql`update private.outbox set attempts = 1
      where payload ->> 'order_id' = ${id} and payload ->> 'template' = 'order-confirmed'`;
    await as(sql, customer, (tx) => tx`update public.orders set status = 'canceled' where id = ${id}`);
    expect((await mailsOf(id)).map(({ template }) => template)).toEqual([
      'order-placed',
      'order-confirmed',
      'order-canceled',
    ]);
  });

  test('of a customer, of the shop itself and of a cancellation does not wait', async () => {
    const id = await newOrder();
    await owner.act('admin_cancel_order', id, { reason: 'Sold out', goods: 'stock' });
    expect((await mailsOf(id)).at(-1)).toEqual({ template: 'order-canceled', waits: 0 });
  });
});

test('a refund that has started keeps the order where it is', async () => {
  const id = await newOrder({ status: 'Shipped' });
  await move(id, 'Delivered');
  await owner.act('admin_refund_order', id, { amount_paise: 100, reason: 'One was broken' });
  expect(await refusalOf(id)).toMatch(/refund of order \d+ has started/);
});

test('an order that was shipped by mistake has the tracking it had before', async () => {
  const id = await newOrder({ status: 'Packed' });
  await move(id, 'Shipped', { courier: 'Pavan Parcel', tracking_number: 'P1' });
  await owner.act('admin_change_tracking', id, { courier: 'Pavan Parcel', tracking_number: 'P2', tracking_url: '' });
  await undo(id);
  expect(await rowOf(id)).toMatchObject({ status: 'Packed', courier: null, tracking_number: null });

  const again = await newOrder({ status: 'Packed' });
  await move(again, 'Shipped', { courier: 'Pavan Parcel', tracking_number: 'P1' });
  await move(again, 'Undelivered');
  await move(again, 'Shipped', { courier: 'Sheetal Cargo', tracking_number: 'S1' });
  await undo(again);
  expect(await rowOf(again)).toMatchObject({ status: 'Undelivered', courier: 'Pavan Parcel', tracking_number: 'P1' });
});

test('several are undone together; the reason is shown for every other', async () => {
  const [good, changed] = [await newOrder(), await newOrder()];
  await owner.ask('admin_move_orders', {
    moves: [
      { id: good, seen: await owner.seen(good) },
      { id: changed, seen: await owner.seen(changed) },
    ],
    to_status: 'Confirmed',
  });
  const moves = [
    { id: good, seen: await owner.seen(good) },
    { id: changed, seen: '2026-01-01T00:00:00Z' },
    { id: '00000000-0000-4000-8000-00000000abcd', seen: null },
  ];
  const answer = await owner.ask<Answer>('admin_undo_moves', { moves });
  expect(answer.undone).toEqual([good]);
  expect(new Map(answer.refused.map(({ id, reason }) => [id, reason]))).toEqual(
    new Map([
      [changed, expect.stringMatching(/was changed by someone else/)],
      ['00000000-0000-4000-8000-00000000abcd', 'One of the orders does not exist.'],
    ]),
  );
});

test('customers cannot undo, and no role moves an order back by writing its status', async () => {
  const id = await newOrder();
  await move(id, 'Confirmed');
  const moves = [{ id, seen: await owner.seen(id) }];
  await expect(as(sql, customer, (tx) => tx`select public.admin_undo_moves(${tx.json(moves)})`)).rejects.toMatchObject({
    code: 'PT403',
  });
  const [event] = await sql`select max(id) as id from public.order_events where order_id = ${id}`;
  // Even with the setting that the request uses: it serves our own functions alone.
  await expect(
    as(sql, { userId: owner.userId }, async (tx) => {
      await tx`select set_config('shop.undoes', ${String(event?.id)}, true)`;
      await tx`update public.orders set status = 'Pending' where id = ${id}`;
    }),
  ).rejects.toMatchObject({ code: 'PT409' });
  await expect(sql`update public.orders set status = 'Pending' where id = ${id}`).rejects.toMatchObject({
    code: 'PT409',
  });
  expect(await rowOf(id)).toMatchObject({ status: 'Confirmed' });
});

test('the books are in order', async () => {
  expect(await sql`select * from public.check_invariants()`).toEqual([]);
});
