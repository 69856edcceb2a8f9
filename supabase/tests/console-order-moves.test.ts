import type { Sql } from 'postgres';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import { type Fulfilment, nextStatuses, orderStatuses } from '../../domain/orders/status.ts';
import { newDatabase, type TestDatabase } from '../../tests/support/database.ts';
import {
  as,
  deriveFromOrders,
  insertPaidOrder,
  insertProduct,
  insertUser,
  type NewOrder,
} from '../../tests/support/rows.ts';

type Seen = { id: string; seen: string; number: number };
type Answer = { moved: string[]; refused: { id: string; reason: string }[] };

let database: TestDatabase;
let sql: Sql;
let owner: { userId: string };
let partner: { userId: string };
let customer: { userId: string };
let productId: number;
beforeAll(async () => {
  database = await newDatabase(inject('postgresPath'));
  sql = database.sql;
  owner = { userId: await insertUser(sql, { administrator: true }) };
  partner = { userId: await insertUser(sql, { administrator: true }) };
  customer = { userId: await insertUser(sql) };
  productId = await insertProduct(sql, { stock: 10000 });
});
afterAll(() => database.drop());

async function newOrder(order: Partial<NewOrder> = {}): Promise<Seen> {
  const { id } = await insertPaidOrder(sql, { userId: customer.userId, productId, quantity: 1, ...order });
  return look(id);
}

/** As the list shows it. */
async function look(id: string): Promise<Seen> {
  const [row] = await sql<Seen[]>`
    select id, to_jsonb(updated_at) #>> '{}' as seen, number::int from public.orders where id = ${id}`;
  if (!row) throw new Error('no such order');
  return row;
}

const move = (moves: unknown, to: string, who = owner) =>
  as(sql, who, async (tx) => {
    const [row] = await tx<{ answer: Answer }[]>`
      select public.admin_move_orders(${tx.json(moves as never)}, ${to}) as answer`;
    if (!row) throw new Error('no answer');
    return row.answer;
  });
const statusOf = async (id: string) => (await sql`select status from public.orders where id = ${id}`)[0]?.status;
const eventsOf = (id: string) =>
  sql`select from_status, to_status, actor_role from public.order_events where order_id = ${id} order by id`;

test('ten orders are confirmed together, each with one event, one email and one entry in the log', async () => {
  const orders = await Promise.all(Array.from({ length: 10 }, () => newOrder()));
  const answer = await move(orders, 'Confirmed');
  expect(answer.refused).toEqual([]);
  expect(answer.moved.toSorted()).toEqual(orders.map(({ id }) => id).sort());
  await deriveFromOrders(sql);
  for (const { id } of orders) {
    expect(await eventsOf(id)).toEqual([
      { from_status: null, to_status: 'Pending', actor_role: 'system' },
      { from_status: 'Pending', to_status: 'Confirmed', actor_role: 'administrator' },
    ]);
    expect(
      await sql`select from private.outbox where payload ->> 'order_id' = ${id} and payload ->> 'template' = 'order-confirmed'`,
    ).toHaveLength(1);
    const log = await sql`select actor_id, before ->> 'status' as old, after ->> 'status' as new from public.audit_log
      where table_name = 'orders' and row_id = ${id}`;
    expect(log).toEqual([{ actor_id: owner.userId, old: 'Pending', new: 'Confirmed' }]);
  }
});

describe('exactly the legal moves work, but for those that need a reason', () => {
  test.each(['delivery', 'pickup'] as Fulfilment[])('of a %s', async (fulfilment) => {
    for (const status of orderStatuses) {
      const legal = nextStatuses({ status, fulfilment }, 'administrator');
      for (const to of orderStatuses.filter((one) => one !== 'canceled' && one !== 'Refunded' && one !== 'Pending')) {
        const order = await newOrder({ status, fulfilment });
        const answer = await move([order], to);
        const isLegal = legal.includes(to);
        expect(answer.moved, `${status} → ${to}`).toEqual(isLegal ? [order.id] : []);
        expect(await statusOf(order.id)).toBe(isLegal ? to : status);
      }
    }
  });

  test.each(['canceled', 'Refunded'])('never to %s', async (to) => {
    const order = await newOrder({ status: to === 'canceled' ? 'Pending' : 'Delivered' });
    await expect(move([order], to)).rejects.toMatchObject({
      code: 'PT422',
      detail: 'to_status',
      message: /its own page/,
    });
  });
});

test('of several orders those that are allowed to move do, and the reason is shown for every other', async () => {
  const good = await newOrder({ status: 'Packed' });
  const canceled = await newOrder({ status: 'canceled' });
  const already = await newOrder({ status: 'Shipped' });
  const early = await newOrder({ status: 'Pending' });
  const collected = await newOrder({ status: 'Packed', fulfilment: 'pickup' });
  const stale = await newOrder({ status: 'Packed' });
  await sql`update public.orders set courier = 'Pavan Parcel' where id = ${stale.id}`;

  const answer = await move([good, canceled, already, early, collected, stale], 'Shipped');
  expect(answer.moved).toEqual([good.id]);
  expect(new Map(answer.refused.map(({ id, reason }) => [id, reason]))).toEqual(
    new Map([
      [canceled.id, `Order ${canceled.number} was cancelled.`],
      [already.id, `Order ${already.number} is already Shipped.`],
      [early.id, `Order ${early.number} is Pending and cannot become Shipped.`],
      [collected.id, `Order ${collected.number} is collected at the shop and cannot become Shipped.`],
      [stale.id, `Order ${stale.number} was changed by someone else. Check it again.`],
    ]),
  );
  expect(await statusOf(stale.id)).toBe('Packed');
  expect((await move([await look(stale.id)], 'Shipped')).moved).toEqual([stale.id]);
});

test('an order that no longer exists, or never did, does not stop the others', async () => {
  const order = await newOrder();
  const id = '00000000-0000-4000-8000-00000000abcd';
  expect(await move([{ id, seen: order.seen }, order], 'Confirmed')).toEqual({
    moved: [order.id],
    refused: [{ id, reason: 'One of the orders does not exist.' }],
  });
});

test('two administrators who confirm the same orders at the same time confirm each order once', async () => {
  const orders = await Promise.all(Array.from({ length: 20 }, () => newOrder()));
  const answers = await Promise.all([move(orders, 'Confirmed'), move(orders.toReversed(), 'Confirmed', partner)]);
  expect(answers.map(({ moved }) => moved.length).sort((a, b) => a - b)).toEqual([0, 20]);
  expect(answers.map(({ refused }) => refused.length).sort((a, b) => a - b)).toEqual([0, 20]);
  for (const { id } of orders) expect(await eventsOf(id)).toHaveLength(2);
});

test('a cancellation by the customer in the meantime is not overruled', async () => {
  const order = await newOrder();
  await as(sql, customer, (tx) => tx`update public.orders set status = 'canceled' where id = ${order.id}`);
  expect(await move([order], 'Confirmed')).toMatchObject({
    moved: [],
    refused: [{ reason: `Order ${order.number} was cancelled.` }],
  });
  expect(await statusOf(order.id)).toBe('canceled');
});

test('the same order twice is one move', async () => {
  const order = await newOrder();
  expect((await move([order, order], 'Confirmed')).moved).toEqual([order.id]);
  expect(await eventsOf(order.id)).toHaveLength(2);
});

test.each([
  ['nothing', [], 'Confirmed', 'moves'],
  ['something else than a list', {}, 'Confirmed', 'moves'],
  ['too many', Array.from({ length: 101 }, () => ({})), 'Confirmed', 'moves'],
  ['what is no order', [{ id: 'x' }], 'Confirmed', 'moves'],
  ['a place that there is none of', [{ id: '00000000-0000-4000-8000-00000000abcd' }], 'Eaten', 'to_status'],
  ['the beginning', [{ id: '00000000-0000-4000-8000-00000000abcd' }], 'Pending', 'to_status'],
])('%s is refused with a sentence', async (_name, moves, to, field) => {
  await expect(move(moves, to)).rejects.toMatchObject({ code: 'PT422', detail: field, message: /^[A-Z].*\.$/ });
});

test('the books are in order', async () => {
  expect(await sql`select * from public.check_invariants()`).toEqual([]);
});
